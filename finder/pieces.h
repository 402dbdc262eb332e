#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "finder/mixed_bits.h"
#include "finder/similar_lengths.h"
#include "refine/duplicate_test.h"

namespace qdedup::finder {

// The pieces of 1 to 3 characters into which a Han part is cut, so that texts that pass the duplicate test
// with it have one of them in common (finder/exact_index.h tells the idea and its sources).
inline constexpr std::size_t longest_piece = 3;

// So many of them that one at least is left whole.
inline std::size_t needed_pieces(std::size_t length, const refine::DuplicateSettings& settings) {
  return most_destroyed_pieces(length, settings, std::numeric_limits<std::uint32_t>::max()) + 1;
}

// The longest pieces of which a text of `length` has enough; 0 where there are none.
inline std::size_t piece_length(std::size_t length, const refine::DuplicateSettings& settings) {
  const std::size_t needed = needed_pieces(length, settings);
  for (std::size_t size = longest_piece; size > 0; --size) {
    if (length / size >= needed) return size;
  }
  return 0;
}

// Of the piece at `position`, among those of texts with these signs.
inline std::uint64_t piece_hash(std::u32string_view text, std::size_t position, std::size_t size,
                                std::uint32_t signs = 0) {
  std::uint64_t piece = 0;
  for (std::size_t i = 0; i < size; ++i) piece = piece << 21U | text[position + i];
  return mixed_bits(piece ^ std::uint64_t{signs} << 32U);
}

// So many texts tell which pieces are rare, in a table of so many counts by hash (a power of two).
inline constexpr std::size_t most_learnt_from = 200'000;
inline constexpr std::size_t most_seen = std::size_t{1} << 20U;
inline constexpr std::size_t usual_pieces = 12;

inline std::size_t seen_size(std::size_t texts) {
  return std::min(most_seen, std::bit_ceil(texts * usual_pieces + 1));
}

}  // namespace qdedup::finder
