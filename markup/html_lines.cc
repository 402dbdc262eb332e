#include "markup/html_lines.h"

#include <algorithm>
#include <array>

#include "markup/marks.h"
#include "markup/style.h"
#include "markup/visible_text.h"

namespace qdedup::markup {
namespace {

constexpr std::size_t farthest_content = 1024;           // as far as is looked for what can be seen
constexpr std::string_view drawn_room = "\x01\x01\x01";  // for mark::drawn_begin
static_assert(drawn_room[0] == mark::erased && drawn_room.size() == mark::drawn_begin.size());

// Of a line or dots, which do not show when they are drawn twice or in parts; 0 for boxes and circles.
std::uint8_t bit_of(std::string_view drawn) {
  constexpr std::array<std::string_view, 8> lines = {
      drawn::line_above, drawn::line_through, drawn::line_below, drawn::dots,
      drawn::wave,       drawn::dashes,       drawn::two_lines,  drawn::type};
  const auto* const found = std::ranges::find(lines, drawn);
  return found == lines.end() ? std::uint8_t{0} : static_cast<std::uint8_t>(1U << (found - lines.begin()));
}

}  // namespace

void HtmlLines::begin(Element& element) {
  if (element.drawn.empty()) return;
  element.lines = static_cast<std::uint8_t>(element.lines | bit_of(element.drawn));
  element.drawn_begin = text_.size();
  if (!draws_) text_ += drawn_room;
}

std::string_view HtmlLines::content_of(const Element& element) const {
  return std::string_view(text_).substr(std::min(element.begin, text_.size()));
}

// A line below white space is a blank, but for that of one space between words.
void HtmlLines::end(const Element& element, std::uint8_t around) {
  if (element.drawn.empty() && element.if_empty.empty()) return;
  const std::string_view content = content_of(element);
  if (content.size() <= farthest_content && shows_nothing(content)) {
    text_ += element.if_empty;
    if (element.if_empty.empty() && (element.drawn == drawn::box || is_wide_space(content)))
      text_ += drawn::on_nothing(element.drawn);
    return;
  }
  if (element.drawn.empty() || (bit_of(element.drawn) & around) != 0) return;
  const std::string_view tail = content.substr(content.size() - std::min(content.size(), farthest_content));
  const std::string_view shown = without_space_behind(tail);
  if (shown.empty()) return;
  draw(element, text_.size() - (tail.size() - shown.size()),
       content.size() > farthest_content || has_several_characters(content));
}

void HtmlLines::draw(const Element& element, std::size_t end, bool has_several) {
  const std::string_view what = element.drawn;
  const bool goes_on = !draws_ && bit_of(what) != 0 && last_.what == what && last_.end == element.begin &&
                       last_.end <= text_.size() && text_.compare(last_.mark, what.size(), what) == 0;
  if (goes_on) text_.replace(last_.mark, what.size(), what.size(), mark::erased);
  const std::size_t begin = std::min(goes_on ? last_.begin : element.drawn_begin, text_.size());
  if ((goes_on || has_several) && std::string_view(text_).substr(begin).starts_with(drawn_room))
    text_.replace(begin, drawn_room.size(), mark::drawn_begin);
  text_.insert(end, what);
  last_ = {what, begin, end, text_.size()};
}

// Over Chinese it is decoration.
void HtmlLines::end_line_above(Element& element) {
  const std::string_view content = content_of(element).substr(0, farthest_content);
  if (!shows_nothing(content) && !has_han(content)) {
    text_ += mark::next;
    text_ += "ˉ";
  } else if (const std::size_t mark = text_.find(mark::over, element.begin); mark != std::string::npos) {
    text_[mark] = mark::erased;
    --element.closes;
  }
}

}  // namespace qdedup::markup
