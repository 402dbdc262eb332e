#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "markup/element_stack.h"

namespace qdedup::markup {

// Writes the lines and dots that elements draw on what they hold, and blanks where they hold nothing. Nothing
// of what is hidden may be passed to it.
class HtmlLines {
 public:
  // What is read to be drawn has no mark::drawn_begin.
  HtmlLines(std::string& text, bool draws) : text_(text), draws_(draws) {}

  // Once it is known what the element draws.
  void begin(Element& element);

  // `around`: Element::lines of its parent, which draw on it already.
  void end(const Element& element, std::uint8_t around);

  // Of an element that began with mark::over.
  void end_line_above(Element& element);

 private:
  // What was drawn last: what goes on with it right behind is one with it.
  struct Drawn {
    std::string_view what;
    std::size_t begin = 0;
    std::size_t mark = 0;
    std::size_t end = 0;  // behind white space
  };

  [[nodiscard]] std::string_view content_of(const Element& element) const;
  void draw(const Element& element, std::size_t end, bool has_several);

  std::string& text_;
  bool draws_;
  Drawn last_;
};

}  // namespace qdedup::markup
