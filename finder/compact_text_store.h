#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup::finder {

// Many texts in little memory: two bytes for nearly every character, plus 24 per text. Numbered from 0 in the
// order in which they were added.
class CompactTextStore {
 public:
  // For this many texts in all.
  void reserve(std::size_t texts) { texts_.reserve(texts); }

  // Returns its number.
  std::uint32_t add(std::u32string_view text);

  [[nodiscard]] std::size_t size() const { return texts_.size(); }

  // Approximate memory.
  [[nodiscard]] std::size_t bytes() const { return texts_.size() * sizeof(Text) + 2 * units_; }

  // In UTF-16 units.
  [[nodiscard]] std::size_t average_length() const { return units_ / (texts_.size() + 1); }

  // In code points.
  [[nodiscard]] std::size_t length(std::uint32_t number) const { return texts_[number].length; }

  // narrow_sketch of it (finder/candidate_filter.h).
  [[nodiscard]] std::uint64_t sketch(std::uint32_t number) const { return texts_[number].sketch; }

  void prefetch(std::uint32_t number) const { __builtin_prefetch(&texts_[number]); }

  // The text, written to `place`, which must outlive the result.
  [[nodiscard]] std::u32string_view read(std::uint32_t number, std::u32string& place) const;

 private:
  struct Text {
    const char16_t* begin;  // UTF-16, with supplementary characters as surrogates
    std::uint32_t length;   // in code points
    std::uint32_t units;    // in UTF-16 units
    std::uint64_t sketch;
  };

  char16_t* make_room(std::size_t units);

  std::vector<Text> texts_;
  std::vector<std::unique_ptr<char16_t[]>> blocks_;
  char16_t* free_ = nullptr;
  std::size_t free_units_ = 0;
  std::size_t units_ = 0;  // of all texts
};

}  // namespace qdedup::finder
