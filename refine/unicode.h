#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace qdedup::refine {

// UTF-8 to code points. Each malformed sequence becomes one U+FFFD: the longest start of a well-formed one
// (Unicode 15, section 3.9, "maximal subparts").
std::u32string to_utf32(std::string_view text);

// Code points to UTF-8. A surrogate or a number beyond U+10FFFF becomes U+FFFD.
std::string to_utf8(std::u32string_view text);

// Working memory for `size` code points or the like, not initialised; in the object itself up to `near_size`,
// so that short texts cost no allocation.
template <std::size_t near_size, class T = char32_t>
class Scratch {
 public:
  explicit Scratch(std::size_t size)
      : far_(size > near_size ? std::make_unique_for_overwrite<T[]>(size) : nullptr) {}

  [[nodiscard]] T* data() { return far_ ? far_.get() : near_.data(); }
  [[nodiscard]] const T* data() const { return far_ ? far_.get() : near_.data(); }

 private:
  std::array<T, near_size> near_;
  std::unique_ptr<T[]> far_;
};

// The code points of a text as by to_utf32, for as long as the object lives.
class DecodedText {
 public:
  explicit DecodedText(std::string_view text);

  [[nodiscard]] std::u32string_view code_points() const { return {room_.data(), size_}; }

 private:
  Scratch<1024> room_;
  std::size_t size_;
};

// For sets of a few characters: inline, as find() is not.
constexpr bool is_one_of(char32_t c, std::u32string_view set) {
  for (const char32_t member : set) {
    if (member == c) return true;
  }
  return false;
}

}  // namespace qdedup::refine
