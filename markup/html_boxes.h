#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "markup/element_stack.h"
#include "markup/style.h"

namespace qdedup::markup {

// Keeps apart what stands in boxes that styles make of the elements of a page. Two below each other, with a
// line between, are a fraction. Nothing of what is hidden may be passed to it.
class HtmlBoxes {
 public:
  explicit HtmlBoxes(std::string& text) : text_(text) {}

  // Takes the line from the style that is that of a fraction. `parent` is null for none.
  void begin(Style& style, Element& element, Element* parent);
  void end(const Element& element);

  // A line across the element.
  void draw_line(Element& holder);

  // Before this text: a box does not part the digits of a number before and behind its point.
  void join_number(std::string_view behind);

 private:
  void begin_part(Style& style, Element& holder);
  bool begin_denominator(Element& holder);

  void put_gap();

  std::string& text_;
  std::size_t gap_ = 0;  // where the last one stands
};

}  // namespace qdedup::markup
