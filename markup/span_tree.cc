#include "markup/span_tree.h"

#include <algorithm>

#include "base/utf8.h"
#include "markup/marks.h"

namespace qdedup::markup {
namespace {

bool holds(const Span& outer, const Span& inner) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

}  // namespace

SpanTree::SpanTree(ReadText&& drawn, std::size_t max_depth) : max_depth_(max_depth) {
  place_code_points(drawn.text);
  nodes_.push_back({Span::Kind::argument, 0, places_.back(), 0});
  std::ranges::reverse(drawn.spans);  // the outer one of two that are alike comes first
  std::ranges::stable_sort(drawn.spans, [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  for (const Span& span : drawn.spans) add(span);
}

void SpanTree::place_code_points(const std::string& drawn) {
  std::size_t count = 0;
  for (const char c : drawn) {
    places_.push_back(count);
    if (c == mark::erased) continue;
    text_ += c;
    // A byte within a character has the place after that character's.
    if (!continues_character(c)) ++count;
  }
  places_.push_back(count);
}

void SpanTree::add(const Span& span) {
  while (!open_.empty() && !holds(open_.back().first, span)) {
    if (open_.back().first.end > span.begin) return;
    open_.pop_back();
  }
  if (open_.size() >= max_depth_) return;
  const std::size_t parent = open_.empty() ? 0 : open_.back().second;
  nodes_[parent].children.push_back(nodes_.size());
  open_.emplace_back(span, nodes_.size());
  nodes_.push_back({span.kind, places_[span.begin], places_[span.end], span.number});
}

}  // namespace qdedup::markup
