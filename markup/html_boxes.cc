#include "markup/html_boxes.h"

#include <cstddef>
#include <string_view>

#include "base/ascii.h"
#include "markup/marks.h"
#include "markup/visible_text.h"

namespace qdedup::markup {

void HtmlBoxes::begin(Style& style, Element& element, Element* parent) {
  const bool is_block =
      style.is_block || element.kind == ElementKind::block || element.kind == ElementKind::paragraph;
  if (is_block && parent != nullptr && parent->box >= Box::holder) begin_part(style, *parent);
  const bool is_apart = style.is_block || style.is_inline_block || style.is_absolute;
  if (!is_apart || (element.kind != ElementKind::inline_text && element.kind != ElementKind::block)) return;
  element.box = style.is_inline_block ? Box::holder : Box::apart;
  put_gap();
  element.box_begin = text_.size();
  text_ += mark::erased;
}

void HtmlBoxes::end(const Element& element) {
  if (element.box != Box::none) put_gap();
}

void HtmlBoxes::draw_line(Element& holder) {
  if (holder.box >= Box::holder) begin_denominator(holder);
}

void HtmlBoxes::put_gap() {
  gap_ = text_.size();
  text_ += mark::gap;
}

void HtmlBoxes::join_number(std::string_view behind) {
  const bool goes_on = behind.size() > 1 && behind[0] == '.' && is_digit(behind[1]);
  if (!goes_on || gap_ == 0 || gap_ >= text_.size() || !is_digit(text_[gap_ - 1])) return;
  const std::string_view seam = std::string_view(text_).substr(gap_);
  if (seam[0] == mark::gap && seam.substr(1, 2).find_first_not_of(mark::erased) == std::string_view::npos &&
      seam.size() <= 2)
    text_[gap_] = mark::erased;
}

void HtmlBoxes::begin_part(Style& style, Element& holder) {
  if ((holder.box == Box::lined || style.line_above) && begin_denominator(holder)) {
    style.line_above = false;
  } else {
    holder.box = style.line_below ? Box::lined : Box::holder;
  }
}

// Most boxes with lines are cards and lists, but these hold words.
bool HtmlBoxes::begin_denominator(Element& holder) {
  constexpr std::size_t longest = 64;
  if (holder.box_begin >= text_.size() || text_[holder.box_begin] != mark::erased) return false;
  const std::string_view numerator = std::string_view(text_).substr(holder.box_begin);
  if (numerator.size() > longest || has_han(numerator) || shows_nothing(numerator)) return false;
  text_[holder.box_begin] = mark::fraction;
  text_ += mark::next;
  ++holder.closes;
  holder.box = Box::apart;
  return true;
}

}  // namespace qdedup::markup
