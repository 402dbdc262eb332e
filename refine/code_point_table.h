#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace qdedup::refine {

// A value for every code point, in two stages: blocks of code points with the same values are stored once, so
// that a table takes tens of kilobytes instead of megabytes. A look-up costs two dependent loads.
template <class T>
class CodePointTable {
 public:
  // Calls value_of(code_point) for every code point but those of the planes 4 to 13, where Unicode has
  // assigned nothing, and 15 and 16, which are for private use: all have the value of U+40000.
  template <class ValueOf>
  explicit CodePointTable(ValueOf value_of) {
    std::map<std::vector<T>, std::uint16_t> known;
    for (std::size_t block = 0; block < block_count; ++block) {
      if (is_plain(block)) {
        blocks_[block] = blocks_[unassigned_begin];
        continue;
      }
      std::vector<T> values = block_values(block, value_of);
      const auto [entry, is_new] = known.try_emplace(values, static_cast<std::uint16_t>(known.size()));
      if (is_new) values_.insert(values_.end(), values.begin(), values.end());
      blocks_[block] = entry->second;
    }
  }

  // T() for a number that is no code point.
  T operator[](char32_t code_point) const {
    return code_point < code_point_count ? at_code_point(code_point) : T();
  }

  // The same, for a number that is a code point.
  [[nodiscard]] T at_code_point(char32_t code_point) const {
    return values_[std::size_t{blocks_[code_point / block_size]} * block_size + code_point % block_size];
  }

 private:
  static constexpr std::size_t code_point_count = 0x110000;
  static constexpr std::size_t block_size = 128;
  static constexpr std::size_t block_count = code_point_count / block_size;
  static constexpr std::size_t unassigned_begin = 0x40000 / block_size;
  static constexpr std::size_t unassigned_end = 0xE0000 / block_size;
  static constexpr std::size_t private_begin = 0xF0000 / block_size;

  static bool is_plain(std::size_t block) {
    return (block > unassigned_begin && block < unassigned_end) || block >= private_begin;
  }

  template <class ValueOf>
  static std::vector<T> block_values(std::size_t block, ValueOf& value_of) {
    std::vector<T> values;
    values.reserve(block_size);
    for (std::size_t i = 0; i < block_size; ++i) {
      values.push_back(value_of(static_cast<char32_t>(block * block_size + i)));
    }
    return values;
  }

  std::array<std::uint16_t, block_count> blocks_{};
  std::vector<T> values_;
};

// A value for each character of the blocks that common Chinese is written in, U+3000 to U+9FFF; T() for all
// others, which cannot be set.
template <class T>
class HanTable {
 public:
  HanTable() : values_(end - begin) {}

  [[nodiscard]] T operator[](char32_t c) const { return covers(c) ? values_[c - begin] : T(); }

  void set(char32_t c, T value) {
    if (covers(c)) values_[c - begin] = value;
  }

  static bool covers(char32_t c) { return c >= begin && c < end; }

 private:
  static constexpr char32_t begin = 0x3000;
  static constexpr char32_t end = 0xA000;

  std::vector<T> values_;
};

}  // namespace qdedup::refine
