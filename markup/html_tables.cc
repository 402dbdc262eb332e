#include "markup/html_tables.h"

#include <algorithm>
#include <array>

#include "markup/marks.h"

namespace qdedup::markup {

void HtmlTables::begin_table(Element& element, bool is_matrix, bool in_mathjye) {
  const bool is_marked = draws_ && !in_mathjye && !is_matrix;
  if (!tables_.empty()) tables_.back().cell = std::string::npos;
  tables_.push_back({.begin = text_.size(), .is_marked = is_marked, .is_matrix = is_matrix});
  text_ += mark::line_break;
  open_part(element, mark::table);
}

void HtmlTables::open_part(Element& element, char mark) {
  if (!tables_.empty() && tables_.back().is_marked) element.open(text_, mark);
}

void HtmlTables::begin_row(Element& element, bool in_mathjye) {
  if (!tables_.empty()) {
    Table& table = tables_.back();
    if (++table.rows > 1) put_border(table.is_matrix ? mark::row_border : mark::cell_border, in_mathjye);
    if (table.rows == 2) table.second_row = text_.size();
    table.cells = 0;
  }
  text_ += mark::line_break;
  open_part(element, mark::row);
}

void HtmlTables::begin_cell(const Style& style, Element& element, bool in_mathjye) {
  if (!tables_.empty()) {
    Table& table = tables_.back();
    table.one_column &= ++table.cells == 1;
    table.has_line |= table.rows == 1 ? style.line_below : table.rows == 2 && style.line_above;
  }
  if (style.line_above && in_mathjye && begin_root(element)) return;
  if (style.line_above && in_mathjye && (tables_.empty() || tables_.back().rows < 2)) {
    text_ += mark::gap;
    element.has_line_above = true;
    return element.open(text_, mark::over);
  }
  if (!tables_.empty() && tables_.back().cells > 1) put_border(mark::cell_border, in_mathjye);
  text_ += mark::gap;
  open_part(element, mark::cell);
  if (!tables_.empty() && !tables_.back().is_matrix) tables_.back().cell = text_.size();
}

void HtmlTables::put_border(std::string_view border, bool in_mathjye) {
  if (!draws_ && !in_mathjye) text_ += border;
}

void HtmlTables::erase_border(std::size_t end) {
  const std::string_view before = std::string_view(text_).substr(0, end);
  for (const std::string_view border : {mark::cell_border, mark::row_border}) {
    if (before.ends_with(border))
      text_.replace(end - border.size(), border.size(), border.size(), mark::erased);
  }
}

// Where a cell is empty matters as much as where a blank stands.
void HtmlTables::end_cell(bool in_mathjye) {
  const std::size_t cell = tables_.empty() ? std::string::npos : tables_.back().cell;
  if (!draws_ && !in_mathjye && cell <= text_.size() && shows_nothing(std::string_view(text_).substr(cell)))
    text_.replace(cell, std::string::npos, mark::blank);
  text_ += mark::gap;
}

bool HtmlTables::begin_root(Element& element) {
  if (!ends_with_root()) return false;
  element.open(text_, draws_ ? mark::root : mark::group);
  return true;
}

// Does a root glyph stand before? Takes away the white space behind it, and the glyph if a mark says it. A
// table that loses its beginning, or that of its second row, is no fraction.
bool HtmlTables::ends_with_root() {
  constexpr std::string_view glyph = "√";
  constexpr std::string_view white_space = " \n\x01";
  static_assert(white_space.back() == mark::erased);
  const std::size_t last = text_.find_last_not_of(white_space);
  if (last == std::string::npos) return false;
  const bool found = std::string_view(text_).substr(0, last + 1).ends_with(glyph);
  if (!found) return false;
  text_.resize(last + 1 - (draws_ ? glyph.size() : 0));
  // Those around the first that begins before began before, too.
  for (auto table = tables_.rbegin(); table != tables_.rend(); ++table) {
    if (std::max(table->begin, table->second_row) < text_.size()) break;
    table->one_column = false;
    table->begin = table->second_row = 0;
  }
  return true;
}

void HtmlTables::end_table() {
  const Table table = tables_.back();
  tables_.pop_back();
  if (table.rows != 2 || !table.one_column || !table.has_line) {
    text_ += mark::line_break;
    return;
  }
  text_[table.begin] = mark::fraction;
  text_[table.second_row] = mark::next;
  erase_border(table.second_row);
  if (table.is_marked) {
    text_[table.begin + 1] = mark::erased;  // what ends the table ends the fraction
  } else {
    text_ += mark::close;
  }
}

namespace {

// The length of the white space that `text` begins with, 0 for anything else. Marks count.
std::size_t length_of_space(std::string_view text) {
  constexpr std::array<std::string_view, 5> others = {"\u00A0", "\u3000", "\u202F", "\u205F", "\uFEFF"};
  if (static_cast<unsigned char>(text[0]) <= ' ') return 1;
  if (text.starts_with("\xE2\x80") && text.size() > 2 && static_cast<unsigned char>(text[2]) <= 0x8B)
    return 3;
  const auto* const space =
      std::ranges::find_if(others, [text](auto other) { return text.starts_with(other); });
  return space == others.end() ? 0 : space->size();
}

}  // namespace

bool shows_nothing(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of_space(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool is_wide_space(std::string_view text) {
  constexpr std::string_view zero_width = "\u200B";
  std::size_t narrow = 0;
  while (!text.empty()) {
    const std::size_t length = length_of_space(text);
    if (length == 0) return false;
    const bool is_wide = length > 1 && !text.starts_with(zero_width) && !text.starts_with("\uFEFF");
    narrow += text[0] == ' ' || text[0] == '\t' ? 1 : 0;
    if (is_wide || narrow > 1) return true;
    text.remove_prefix(length);
  }
  return false;
}

std::string_view without_space_behind(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  while (!text.empty()) {
    std::size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
    if (text[begin] == mark::close) {
      const std::size_t number = text.find_last_not_of(digits, begin - 1);
      if (begin == 0 || number == std::string_view::npos || text[number] != mark::figure) return text;
      begin = number;
    } else if (length_of_space(text.substr(begin)) != text.size() - begin) {
      return text;
    }
    text = text.substr(0, begin);
  }
  return text;
}

bool has_han(std::string_view text) {
  constexpr std::size_t nearness = 256;
  return std::ranges::any_of(text.substr(0, nearness), [](char c) {
    return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
  });
}

bool has_several_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && (byte & 0xC0U) != 0x80U && ++count > 1) return true;
  }
  return false;
}

}  // namespace qdedup::markup
