#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace qdedup::refine {

// How many code points two texts have in common at the start and, not counting those again, at the end.
struct CommonAffixes {
  std::size_t prefix;
  std::size_t suffix;
};

// Of two texts; together no longer than the shorter one. Linear.
inline CommonAffixes common_affixes(std::u32string_view a, std::u32string_view b) {
  constexpr std::size_t block = 4;  // code points compared at once
  const std::size_t shorter = std::min(a.size(), b.size());
  const auto same = [](const char32_t* x, const char32_t* y) {
    return std::memcmp(x, y, block * sizeof(char32_t)) == 0;
  };
  std::size_t prefix = 0;
  while (prefix + block <= shorter && same(a.data() + prefix, b.data() + prefix)) prefix += block;
  while (prefix < shorter && a[prefix] == b[prefix]) ++prefix;

  const char32_t* const a_end = a.data() + a.size();
  const char32_t* const b_end = b.data() + b.size();
  const std::size_t rest = shorter - prefix;
  std::size_t suffix = 0;
  while (suffix + block <= rest && same(a_end - suffix - block, b_end - suffix - block)) suffix += block;
  while (suffix < rest &&
         a_end[-1 - static_cast<std::ptrdiff_t>(suffix)] == b_end[-1 - static_cast<std::ptrdiff_t>(suffix)]) {
    ++suffix;
  }
  return {prefix, suffix};
}

// A text without its first and last code points.
inline std::u32string_view without_affixes(std::u32string_view text, CommonAffixes affixes) {
  return text.substr(affixes.prefix, text.size() - affixes.prefix - affixes.suffix);
}

}  // namespace qdedup::refine
