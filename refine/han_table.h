#pragma once

#include <cstddef>
#include <vector>

namespace qdedup::refine {

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
