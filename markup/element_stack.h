#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "markup/tables.h"

namespace qdedup::markup {

// An element that is open.
struct Element {
  std::uint64_t name = 0;  // the number of a name that a rule has, else a hash of it, in lower case
  ElementKind kind = ElementKind::inline_text;
  bool hides = false;           // nothing in it is read
  bool is_in_no_size = false;   // the text around it has no size
  std::uint8_t closes = 0;      // marks that end with it
  std::uint32_t children = 0;   // elements in it so far
  std::size_t begin = 0;        // where its text begins, unless it is hidden
  std::string_view ending;      // text that ends it
  std::string_view drawn;       // over or under what it holds: a combining character
  std::string_view separators;  // between what it holds, as they are written

  // Writes a mark that ends with the element.
  void open(std::string& text, char mark) {
    text += mark;
    ++closes;
  }
};

// The elements that are open, the innermost last. Every operation is constant time on average, whatever the
// page holds.
class ElementStack {
 public:
  static std::uint64_t name_of(std::string_view written, ElementRule rule);

  void push(const Element& element);
  Element pop();

  [[nodiscard]] bool empty() const { return elements_.empty(); }
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] Element& top() { return elements_.back(); }

  [[nodiscard]] bool has(std::uint64_t name) const;

  // How many elements have to end so that the innermost of kind `wanted` does; 0 where there is none within
  // the innermost `barrier`, or not near.
  [[nodiscard]] std::size_t depth_of(ElementKind wanted, ElementKind barrier) const;

 private:
  std::uint32_t& count_of(std::uint64_t name);

  std::vector<Element> elements_;
  std::array<std::uint32_t, element_names> open_{};           // how many of each name that has a number,
  std::unordered_map<std::uint64_t, std::uint32_t> unknown_;  // and of others
};

}  // namespace qdedup::markup
