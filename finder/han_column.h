#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup::finder {

// Many Han parts in little memory: two bytes for nearly every character, and 24 for each part. Numbered from
// 0 in the order in which they are added.
class HanColumn {
 public:
  // For so many parts in all.
  void reserve(std::size_t parts) { parts_.reserve(parts); }

  // Answers its number.
  std::uint32_t add(std::u32string_view han);

  [[nodiscard]] std::size_t size() const { return parts_.size(); }

  // Of memory, about.
  [[nodiscard]] std::size_t bytes() const { return parts_.size() * sizeof(Part) + 2 * units_; }

  // In UTF-16 units.
  [[nodiscard]] std::size_t average_length() const { return units_ / (parts_.size() + 1); }

  // In code points.
  [[nodiscard]] std::size_t length(std::uint32_t number) const { return parts_[number].length; }

  // parity_sketch of it.
  [[nodiscard]] std::uint64_t sketch(std::uint32_t number) const { return parts_[number].sketch; }

  void prefetch(std::uint32_t number) const { __builtin_prefetch(&parts_[number]); }

  // The part, written to `place`, which must outlive the answer.
  [[nodiscard]] std::u32string_view read(std::uint32_t number, std::u32string& place) const;

  // Whether two parts are the same.
  [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) const { return units(a) == units(b); }

  // UTF-16, where supplementary characters are surrogates.
  [[nodiscard]] std::u16string_view units(std::uint32_t number) const {
    return {parts_[number].begin, parts_[number].units};
  }

 private:
  struct Part {
    const char16_t* begin;
    std::uint32_t units;
    std::uint32_t length;
    std::uint64_t sketch;
  };

  char16_t* make_room(std::size_t units);

  std::vector<Part> parts_;
  std::vector<std::unique_ptr<char16_t[]>> blocks_;
  char16_t* free_ = nullptr;
  std::size_t free_units_ = 0;
  std::size_t units_ = 0;  // of all parts
};

}  // namespace qdedup::finder
