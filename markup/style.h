#pragma once

#include <cstdint>
#include <string_view>

namespace qdedup::markup {

// What an inline style says that matters to a reader.
struct Style {
  bool no_box = false;       // display:none
  bool invisible = false;    // visibility:hidden
  bool transparent = false;  // opacity:0
  bool zero_size = false;    // font-size:0
  bool raised = false;       // vertical-align:super
  bool lowered = false;
  bool line_above = false;  // a border
  bool line_below = false;

  [[nodiscard]] bool hidden() const { return no_box || invisible || transparent; }
};

// Reads the value of a style attribute. Linear.
Style read_style(std::string_view declarations);

// Has the class attribute one of these classes? `name` is compared as it is.
bool has_class(std::string_view classes, std::string_view name);

}  // namespace qdedup::markup
