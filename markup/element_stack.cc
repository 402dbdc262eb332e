#include "markup/element_stack.h"

namespace qdedup::markup {

// FNV-1a.
std::uint64_t ElementStack::name_of(std::string_view written) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : written) {
    const auto byte = static_cast<unsigned char>(c);
    hash = (hash ^ (byte >= 'A' && byte <= 'Z' ? byte + 32U : byte)) * 0x100000001B3U;
  }
  return hash;
}

void ElementStack::push(const Element& element) {
  ++open_[element.name];
  elements_.push_back(element);
}

Element ElementStack::pop() {
  const Element element = elements_.back();
  --open_[element.name];
  elements_.pop_back();
  return element;
}

bool ElementStack::has(std::uint64_t name) const {
  const auto found = open_.find(name);
  return found != open_.end() && found->second > 0;
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
