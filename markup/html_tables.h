#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markup/element_stack.h"
#include "markup/style.h"

namespace qdedup::markup {

// Writes the marks and borders of tables around the text of their cells. A table of two rows with a line
// between is a fraction. Nothing of what is hidden may be passed to it.
class HtmlTables {
 public:
  // Whether it is read to be drawn: then with the marks of tables instead of borders.
  HtmlTables(std::string& text, bool draws) : text_(text), draws_(draws) {}

  // Those of a formula of MathJye have neither.
  void begin_table(Element& element, bool is_matrix, bool in_mathjye);
  void begin_row(Element& element, bool in_mathjye);
  void begin_cell(const Style& style, Element& element, bool in_mathjye);
  void end_cell(bool in_mathjye);
  void end_table();

  // Begins what the root glyph right before is of; false where there is none.
  bool begin_root(Element& element);

 private:
  // What is known of a table before its end.
  struct Table {
    std::size_t begin = 0;       // where its mark stands
    std::size_t second_row = 0;  // the same of the second row
    std::size_t rows = 0;
    std::size_t cells = 0;                 // of the row
    std::size_t cell = std::string::npos;  // where the last cell begins, if it holds no table
    bool one_column = true;
    bool has_line = false;
    bool is_marked = false;
    bool is_matrix = false;  // of MathML
  };

  void open_part(Element& element, char mark);
  void put_border(std::string_view border, bool in_mathjye);
  void erase_border(std::size_t end);
  bool ends_with_root();

  std::string& text_;
  bool draws_;
  std::vector<Table> tables_;  // of those that are open
};

}  // namespace qdedup::markup
