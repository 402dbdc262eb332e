#include "markup/formula_writer.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "markup/marks.h"

namespace qdedup::markup {
namespace {

constexpr char unused = mark::erased;

bool is_blank(char c) { return is_white_space(c) || c == unused; }

// As far as is looked for the ends of white space and of numbers: what is longer is bracketed.
constexpr std::size_t horizon = 256;

// As far back as text is moved.
constexpr std::size_t farthest = 4096;

// How many bytes of digits the text begins with.
std::size_t digits_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

}  // namespace

bool is_single(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > horizon) return false;
  const std::size_t whole = digits_of(text);
  if (whole == 0) return text.size() <= 4 && std::all_of(text.begin() + 1, text.end(), continues_character);
  if (whole == text.size()) return true;
  return text[whole] == '.' && whole + 1 < text.size() &&
         digits_of(text.substr(whole + 1)) == text.size() - whole - 1;
}

void FormulaWriter::put(std::string_view text) {
  if (text.empty()) return;
  if (number_end_ == text_.size() && (is_digit(text[0]) || text[0] == '.')) text_ += ' ';
  text_ += text;
}

std::size_t FormulaWriter::reserve(std::size_t bytes) {
  const std::size_t place = text_.size();
  text_.append(bytes, unused);
  if (number_end_ == place) number_end_ = text_.size();
  return place;
}

void FormulaWriter::fill(std::size_t place, std::string_view text) {
  text_.replace(place, text.size(), text);
}

void FormulaWriter::close_bracket(std::size_t place) {
  if (is_single(content(place))) return end_number();
  text_[place] = '(';
  text_ += ')';
}

std::string_view FormulaWriter::content(std::size_t place) const {
  std::string_view text = std::string_view(text_).substr(place);
  for (std::size_t i = 0; i < horizon && !text.empty() && is_blank(text.front()); ++i) text.remove_prefix(1);
  for (std::size_t i = 0; i < horizon && !text.empty() && is_blank(text.back()); ++i) text.remove_suffix(1);
  return text;
}

void FormulaWriter::cut(std::size_t place) {
  text_.resize(place);
  if (number_end_ != nowhere && number_end_ > place) number_end_ = nowhere;
  while (!spans_.empty() && spans_.back().end > place) spans_.pop_back();
}

bool FormulaWriter::make_room(std::size_t place, std::size_t bytes) {
  if (text_.size() - place > farthest) return false;
  text_.insert(place, bytes, unused);
  if (number_end_ != nowhere && number_end_ >= place) number_end_ += bytes;
  for (auto span = spans_.rbegin(); span != spans_.rend() && span->begin >= place; ++span) {
    span->begin += bytes;
    span->end += bytes;
  }
  return true;
}

bool FormulaWriter::move_to(std::size_t place, std::size_t from) {
  if (text_.size() - place > farthest) return false;
  const auto at = [this](std::size_t offset) { return text_.begin() + static_cast<std::ptrdiff_t>(offset); };
  std::rotate(at(place), at(from), text_.end());
  for (auto span = spans_.rbegin(); span != spans_.rend() && span->begin >= place; ++span) {
    const bool was_behind = span->begin >= from;
    span->begin = was_behind ? span->begin - (from - place) : span->begin + (text_.size() - from);
    span->end = was_behind ? span->end - (from - place) : span->end + (text_.size() - from);
  }
  return true;
}

bool FormulaWriter::is_empty(std::size_t begin, std::size_t end, bool may_be_blank) const {
  if (begin > end || end - begin > horizon) return false;
  return std::ranges::all_of(std::string_view(text_).substr(begin, end - begin),
                             [may_be_blank](char c) { return c == unused || (may_be_blank && is_blank(c)); });
}

void FormulaWriter::add_span(Span::Kind kind, std::size_t begin, std::size_t number) {
  if (keeps_spans_) spans_.push_back({kind, begin, text_.size(), number});
}

std::pair<std::string, std::vector<Span>> FormulaWriter::finish() && {
  if (!keeps_spans_) std::erase(text_, unused);
  return {std::move(text_), std::move(spans_)};
}

}  // namespace qdedup::markup
