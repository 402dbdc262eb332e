#include "markup/html_tables.h"

#include <algorithm>

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

// Does a root glyph stand before, with little white space behind it? Takes that away, and the glyph if a mark
// says it. A table that loses its beginning, or that of its second row, is no fraction.
bool HtmlTables::ends_with_root() {
  constexpr std::string_view glyph = "√";
  constexpr std::string_view white_space = " \n\x01";
  static_assert(white_space.back() == mark::erased);
  constexpr std::size_t longest = 256;
  const std::string_view before(text_);
  const std::string_view near = before.substr(before.size() - std::min(before.size(), longest));
  const std::size_t end = before.size() - near.size() + near.find_last_not_of(white_space) + 1;
  if (!before.substr(0, end).ends_with(glyph)) return false;
  text_.resize(end - (draws_ ? glyph.size() : 0));
  // Those around the first that begins before began before, too.
  for (std::size_t left = tables_.size(); left > 0; --left) {
    Table& table = tables_[left - 1];
    if (std::max(table.begin, table.second_row) < text_.size()) break;
    table.one_column = false;
    table.begin = table.second_row = 0;
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

}  // namespace qdedup::markup
