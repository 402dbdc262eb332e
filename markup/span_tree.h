#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "markup/formula_reader.h"

namespace qdedup::markup {

// A span of a drawn text, and the spans within it.
struct SpanNode {
  Span::Kind kind;
  std::size_t begin;  // code points
  std::size_t end;
  std::size_t number;                      // of a figure
  std::vector<std::size_t> children = {};  // places among the nodes
};

// The spans of a drawn text as a tree. Spans that overlap, or are nested deeper than `max_depth`, are left
// out. Linear, but for sorting.
class SpanTree {
 public:
  SpanTree(ReadText&& drawn, std::size_t max_depth);

  // The whole text first, then each after the one that holds it.
  [[nodiscard]] std::vector<SpanNode>&& nodes() && { return std::move(nodes_); }
  // The drawn text without mark::erased.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void place_code_points(const std::string& drawn);
  void add(const Span& span);

  std::size_t max_depth_;
  std::string text_;
  std::vector<std::size_t> places_;  // for each byte that was drawn, the number of its code point
  std::vector<SpanNode> nodes_;
  std::vector<std::pair<Span, std::size_t>> open_;  // and their places among the nodes
};

}  // namespace qdedup::markup
