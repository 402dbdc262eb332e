#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace qdedup::refine {

// How many code points two texts have in common at the start and, not counting those again, at the end.
struct CommonAffixes {
  std::size_t prefix;
  std::size_t suffix;
};

inline CommonAffixes common_affixes(std::u32string_view a, std::u32string_view b) {
  const auto prefix = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  const auto suffix =
      std::mismatch(a.rbegin(), a.rend() - prefix, b.rbegin(), b.rend() - prefix).first - a.rbegin();
  return {static_cast<std::size_t>(prefix), static_cast<std::size_t>(suffix)};
}

// A text without its first and last code points.
inline std::u32string_view without_affixes(std::u32string_view text, CommonAffixes affixes) {
  return text.substr(affixes.prefix, text.size() - affixes.prefix - affixes.suffix);
}

}  // namespace qdedup::refine
