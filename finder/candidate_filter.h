#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/mixed_bits.h"
#include "refine/duplicate_test.h"

// How the exact finders (finder/exact_index.h, finder/question_index.h) determine, without comparing texts,
// which Han parts may pass the duplicate test with a given one: by length, by sketch, and by common pieces.
// None that passes is missed.
namespace qdedup::finder {

// Parity sketches: which of 64, 128, 256 or 512 groups of characters (width 0 to 3) occur an odd number of
// times in a text. An insertion or deletion changes one bit, a replacement at most two. Longer texts need
// more groups; otherwise any two of them would look alike.
inline constexpr std::size_t sketch_widths = 4;

inline constexpr std::size_t sketch_words(std::size_t width) { return std::size_t{1} << width; }

// The width for a text of `length`; grows with the length.
inline constexpr std::size_t sketch_width(std::size_t length) {
  constexpr std::array<std::size_t, sketch_widths - 1> ends = {20, 44, 96};
  std::size_t width = 0;
  while (width < ends.size() && length > ends[width]) ++width;
  return width;
}

// The sketch of width 0.
inline std::uint64_t narrow_sketch(std::u32string_view text) {
  std::uint64_t sketch = 0;
  for (const char32_t c : text) sketch ^= std::uint64_t{1} << refine::character_group(c, 6);
  return sketch;
}

// Writes sketch_words(width) words to `to`.
inline void write_sketch(std::u32string_view text, std::size_t width, std::uint64_t* to) {
  for (std::size_t i = 0; i < sketch_words(width); ++i) to[i] = 0;
  for (const char32_t c : text) {
    const std::uint32_t group = refine::character_group(c, static_cast<unsigned>(6 + width));
    to[group >> 6U] ^= std::uint64_t{1} << (group & 63U);
  }
}

inline std::size_t different_bits(const std::uint64_t* a, const std::uint64_t* b, std::size_t width) {
  std::size_t bits = 0;
  for (std::size_t i = 0; i < sketch_words(width); ++i)
    bits += static_cast<std::size_t>(std::popcount(a[i] ^ b[i]));
  return bits;
}

// In how many bits the sketches of two texts within `distance` (of levenshtein_distance or lcs_distance) can
// differ if their lengths differ by `length_difference`: at least that many characters are inserted, and at
// most `distance` - `length_difference` more on either side have no counterpart.
inline std::size_t max_different_bits(std::size_t distance, std::size_t length_difference) {
  return 2 * distance - length_difference;
}

// A Han part to compare others with, by their lengths and sketches alone. What it rejects does not pass the
// duplicate test with it; most of what it accepts does.
class HanQuery {
 public:
  // For sketches of width 0 to `widths` - 1. The text must outlive it.
  HanQuery(std::u32string_view han, const refine::DuplicateSettings& settings,
           std::size_t widths = sketch_widths);

  [[nodiscard]] std::u32string_view han() const { return han_; }
  [[nodiscard]] const refine::LengthRange& lengths() const { return lengths_; }

  // The largest distance allowed for a part of `length`.
  [[nodiscard]] std::size_t limit_with(std::size_t length) const {
    return refine::distance_limit(length > han_.size() ? length : han_.size(), min_similarity_);
  }

  // For a part whose length is within lengths(). `sketch` has sketch_words(width) words.
  [[nodiscard]] bool may_be_similar(const std::uint64_t* sketch, std::size_t width,
                                    std::size_t length) const {
    const std::size_t difference = length > han_.size() ? length - han_.size() : han_.size() - length;
    return different_bits(sketch, sketches_[width].data(), width) <=
           max_different_bits(limit_with(length), difference);
  }

 private:
  using WidestSketch = std::array<std::uint64_t, sketch_words(sketch_widths - 1)>;

  std::u32string_view han_;
  int min_similarity_;
  refine::LengthRange lengths_;
  std::array<WidestSketch, sketch_widths> sketches_;  // by width
};

// Removes the candidates from position `begin` on that `keep` rejects. Passes each to `prefetch` some time
// before.
template <class Prefetch, class Keep>
void filter_candidates(std::vector<std::uint32_t>& candidates, std::size_t begin, const Prefetch& prefetch,
                       const Keep& keep) {
  constexpr std::size_t ahead = 16;
  std::size_t kept = begin;
  for (std::size_t i = begin; i < candidates.size(); ++i) {
    if (i + ahead < candidates.size()) prefetch(candidates[i + ahead]);
    if (keep(candidates[i])) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
}

// A text is cut into non-overlapping pieces of 1 to max_piece characters, more than edits within the limit
// can destroy, so that at least one piece occurs in the other text, at nearly the same position. That is the
// idea of Pass-Join (Li, Deng, Wang, Feng, "Pass-Join: A Partition-based Method for Similarity Joins", VLDB
// 2011). As pieces have a fixed length, there are more of them than needed, and the rarest are chosen (Qin,
// Wang, Lu, Xiao, Lin, "Efficient exact edit similarity query processing with the asymmetric signature
// scheme", SIGMOD 2011).
inline constexpr std::size_t max_piece = 3;

// The number of pieces of a text of `length` that guarantees one intact piece in any text that passes the
// duplicate test with it. An edit destroys at most one piece; a distance by the longest common subsequence
// counts a replacement once, though it removes a character here and may insert one elsewhere.
std::size_t needed_pieces(std::size_t length, const refine::DuplicateSettings& settings);

// The greatest length of pieces of which a text of `length` has enough; 0 if there is none.
std::size_t piece_length(std::size_t length, const refine::DuplicateSettings& settings);

// Hash of the piece at `position`, distinguishing texts with other signs.
inline std::uint64_t piece_hash(std::u32string_view text, std::size_t position, std::size_t size,
                                std::uint32_t signs = 0) {
  std::uint64_t piece = 0;
  for (std::size_t i = 0; i < size; ++i) piece = piece << 21U | text[position + i];
  return mixed_bits(piece ^ std::uint64_t{signs} << 32U);
}

// Counts pieces by hash, to find the rare ones.
class PieceCounts {
 public:
  struct Piece {
    std::uint32_t count;
    std::uint32_t position;
    std::uint64_t hash;
  };

  PieceCounts() = default;

  // For this many texts; learning every learning_step()-th of them is enough.
  explicit PieceCounts(std::size_t texts) : counts_(size_for(texts)) {}
  static std::size_t learning_step(std::size_t texts);
  static std::size_t bytes_for(std::size_t texts) { return size_for(texts) * sizeof(std::uint32_t); }

  // Counts all pieces of `size` characters, starting at any position.
  void learn(std::u32string_view text, std::size_t size, std::uint32_t signs = 0);

  // The rarest `needed` of the pieces that a text is cut into, in no particular order; valid until the next
  // call.
  std::span<const Piece> rarest(std::u32string_view text, std::size_t size, std::size_t needed,
                                std::uint32_t signs = 0);

 private:
  static std::size_t size_for(std::size_t texts);
  std::uint32_t& count_of(std::uint64_t hash) { return counts_[hash & (counts_.size() - 1)]; }

  std::vector<std::uint32_t> counts_;  // the size is a power of two
  std::vector<Piece> pieces_;
};

}  // namespace qdedup::finder
