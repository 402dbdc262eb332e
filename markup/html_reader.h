#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "markup/figures.h"

namespace qdedup::markup {

// What a page says, in reading order.
struct MarkedText {
  std::string text;                              // UTF-8 with marks (markup/marks.h)
  std::vector<Figure> figures;                   // by the number that their mark has
  std::map<std::string, std::uint64_t> unknown;  // elements without a rule, as "<name>", and how often
  bool has_markup = false;                       // a tag, a comment or a character reference
};

// Reads a page, or a plain text with or without some tags; with the marks of tables and of all roots if it is
// to be drawn. Of what an attribute or a comment of a page holds, which `is_inner`, attributes and comments
// are not read as pages of their own. Linear; the depth of nesting costs heap, no stack.
MarkedText read_html(std::string_view page, bool draws = false, bool is_inner = false);

}  // namespace qdedup::markup
