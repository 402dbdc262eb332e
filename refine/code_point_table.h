#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

namespace qdedup::refine {

inline constexpr std::size_t code_points_per_block = 128;

enum class BlockKind : std::uint8_t {
  unassigned,  // Unicode has assigned none of its code points, or it is of the planes for private use
  ideographs,  // all are unified ideographs
  mixed,       // any others, be they private or surrogates
};

// Of each block.
const std::vector<BlockKind>& block_kinds();

// A value for every code point, in two stages: blocks of code points with the same values are stored once, so
// that a table takes tens of kilobytes instead of megabytes. A look-up costs two dependent loads.
template <class T>
class CodePointTable {
 public:
  // Calls value_of(code_point) for the code points of mixed blocks, and for one of each block of ideographs,
  // between which it must make no difference; all others have the value of U+40000, which is not assigned
  // yet.
  template <class ValueOf>
  explicit CodePointTable(ValueOf value_of) {
    const std::vector<BlockKind>& kinds = block_kinds();
    std::map<std::vector<T>, std::uint16_t> known;
    values_.assign(block_size, value_of(unassigned));
    known.try_emplace(values_, std::uint16_t{0});
    for (std::size_t block = 0; block < block_count; ++block) {
      if (kinds[block] == BlockKind::unassigned) continue;
      std::vector<T> values =
          kinds[block] == BlockKind::ideographs
              ? std::vector<T>(block_size, value_of(static_cast<char32_t>(block * block_size)))
              : block_values(block, value_of);
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
  static constexpr std::size_t block_size = code_points_per_block;
  static constexpr std::size_t block_count = code_point_count / block_size;
  static constexpr char32_t unassigned = 0x40000;

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

// Which characters are in any of the texts.
inline HanTable<bool> han_set(std::initializer_list<std::u32string_view> texts) {
  HanTable<bool> set;
  for (const std::u32string_view text : texts) {
    for (const char32_t c : text) set.set(c, true);
  }
  return set;
}

}  // namespace qdedup::refine
