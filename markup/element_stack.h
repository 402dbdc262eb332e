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

// How an element stands in the text around it.
enum class Box : std::uint8_t {
  none,
  apart,
  holder,  // apart, and its parts may turn out to be a fraction,
  lined,   // of which the last one has a line below
};

// Why text cannot be seen, though pictures can, and elements that say otherwise.
struct Unseen {
  bool by_size = false;
  bool by_color = false;

  [[nodiscard]] bool holds() const { return by_size || by_color; }
};

// An element that is open.
struct Element {
  std::uint64_t name = 0;  // the number of a name that a rule has, else a hash of it, in lower case
  ElementKind kind = ElementKind::inline_text;
  bool hides = false;           // nothing in it is read
  Unseen unseen_around;         // the text around it
  bool has_line_above = false;  // it began with mark::over
  Box box = Box::none;
  std::uint8_t closes = 0;      // marks that end with it
  std::uint8_t lines = 0;       // what is drawn on its text, a bit each
  std::uint32_t children = 0;   // elements in it so far
  std::size_t begin = 0;        // where its text begins, unless it is hidden
  std::size_t prescripts = 0;   // where those of mmultiscripts begin, which belong before it
  std::size_t box_begin = 0;    // where there is room for the mark of the fraction that its box may be,
  std::size_t drawn_begin = 0;  // and where there is room for mark::drawn_begin
  std::string_view ending;      // text that ends it
  std::string_view drawn;       // over or under what it holds: a combining character
  std::string_view if_empty;    // what is read where it holds nothing
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
