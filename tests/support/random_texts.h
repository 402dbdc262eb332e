#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace qdedup {

// Of the first characters of the ideographs.
inline std::u32string random_ideographs(std::mt19937_64& random, std::size_t length, std::size_t alphabet) {
  std::u32string text(length, U'\0');
  for (char32_t& c : text) c = U'\u4E00' + static_cast<char32_t>(random() % alphabet);
  return text;
}

// `text` after `edits` random insertions, deletions and replacements.
inline std::u32string edited(std::mt19937_64& random, std::u32string text, std::size_t edits,
                             std::size_t alphabet) {
  for (; edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 3) {
      case 0:
        text.insert(at, random_ideographs(random, 1, alphabet));
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text.replace(at, 1, random_ideographs(random, 1, alphabet));
        break;
    }
  }
  return text;
}

}  // namespace qdedup
