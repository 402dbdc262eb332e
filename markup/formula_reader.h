#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "markup/formula_writer.h"
#include "markup/html_reader.h"

namespace qdedup::markup {

// A text without markup, and its figures in reading order.
struct ReadText {
  std::string text;         // UTF-8
  std::vector<Span> spans;  // of a text that is drawn; in the order of their ends
  std::vector<Figure> figures;
  std::map<std::string, std::uint64_t> unknown;  // commands without a rule, as "\name", and how often
  bool has_formulas = false;
};

// Reads the LaTeX and the marks of a text, within dollars or not, and the marks that stand for figures. The
// hash that the bank gives for the nth figure, if any, is its name. If the text is to be drawn, mark::erased
// in it is nothing, U+FFFC stands where a figure does, and brackets that it lacks are there. Linear; the
// depth of nesting costs heap, no stack.
ReadText read_formulas(const MarkedText& marked, std::span<const std::string> image_hashes,
                       bool draws = false);

}  // namespace qdedup::markup
