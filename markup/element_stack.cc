#include "markup/element_stack.h"

#include <algorithm>

#include "base/ascii.h"

namespace qdedup::markup {

// The hash is FNV-1a, kept above the numbers.
std::uint64_t ElementStack::name_of(std::string_view written, ElementRule rule) {
  if (rule.number > 0) return rule.number;
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : written) {
    hash = (hash ^ static_cast<unsigned char>(in_lower_case(c))) * 0x100000001B3U;
  }
  return std::max<std::uint64_t>(hash, element_names);
}

void ElementStack::push(const Element& element) {
  ++count_of(element.name);
  elements_.push_back(element);
}

Element ElementStack::pop() {
  const Element element = elements_.back();
  --count_of(element.name);
  elements_.pop_back();
  return element;
}

std::uint32_t& ElementStack::count_of(std::uint64_t name) {
  return name < element_names ? open_[name] : unknown_[name];
}

bool ElementStack::has(std::uint64_t name) const {
  if (name < element_names) return open_[name] > 0;
  const auto found = unknown_.find(name);
  return found != unknown_.end() && found->second > 0;
}

std::size_t ElementStack::depth_of(ElementKind wanted, ElementKind barrier) const {
  constexpr std::size_t nearness = 64;
  for (std::size_t depth = 1; depth <= elements_.size() && depth <= nearness; ++depth) {
    const ElementKind kind = elements_[elements_.size() - depth].kind;
    if (kind == wanted) return depth;
    if (kind == barrier) break;
  }
  return 0;
}

}  // namespace qdedup::markup
