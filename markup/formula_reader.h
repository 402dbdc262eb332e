#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "markup/html_reader.h"

namespace qdedup::markup {

// A text without markup, and its figures in reading order.
struct ReadText {
  std::string text;  // UTF-8
  std::vector<Figure> figures;
  std::map<std::string, std::uint64_t> unknown;  // commands without a rule, as "\name", and how often
  bool has_formulas = false;
};

// Reads the LaTeX and the marks of a text, within dollars or not, and the marks that stand for figures. The
// hash that the bank gives for the nth figure, if any, is its name. Linear; the depth of nesting costs heap,
// no stack.
ReadText read_formulas(const MarkedText& marked, std::span<const std::string> image_hashes);

}  // namespace qdedup::markup
