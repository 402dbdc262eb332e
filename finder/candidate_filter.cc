#include "finder/candidate_filter.h"

#include <algorithm>

namespace qdedup::finder {
namespace {

// The largest number of disjoint pieces of a text that can be destroyed by editing it into one that passes
// the duplicate test with it.
std::size_t max_destroyed_pieces(std::size_t length, const refine::DuplicateSettings& settings) {
  const std::size_t longest = refine::similar_lengths(length, settings.min_similarity).max;
  const std::size_t max_edits = refine::distance_limit(longest, settings.min_similarity);
  if (settings.similarity == refine::Similarity::levenshtein) return max_edits;
  // With a partner of length L >= length: length - L + 2 * limit(L), which is monotonic in L.
  const auto allowed = static_cast<std::size_t>(100 - settings.min_similarity);
  const std::size_t with_shortest = 2 * length * allowed / 100;
  const std::size_t with_longest = length + 2 * longest * allowed / 100 - longest;
  return std::max(with_shortest, with_longest);
}

}  // namespace

HanQuery::HanQuery(std::u32string_view han, const refine::DuplicateSettings& settings, std::size_t widths)
    : han_(han),
      min_similarity_(settings.min_similarity),
      lengths_(refine::similar_lengths(han.size(), settings.min_similarity)),
      sketches_() {
  for (std::size_t width = 0; width < widths; ++width) write_sketch(han, width, sketches_[width].data());
}

std::size_t needed_pieces(std::size_t length, const refine::DuplicateSettings& settings) {
  return max_destroyed_pieces(length, settings) + 1;
}

std::size_t piece_length(std::size_t length, const refine::DuplicateSettings& settings) {
  const std::size_t needed = needed_pieces(length, settings);
  for (std::size_t size = max_piece; size > 0; --size) {
    if (length / size >= needed) return size;
  }
  return 0;
}

std::size_t PieceCounts::size_for(std::size_t texts) {
  constexpr std::size_t max_counts = std::size_t{1} << 20U;
  constexpr std::size_t usual_pieces = 12;
  return std::min(max_counts, std::bit_ceil(texts * usual_pieces + 1));
}

std::size_t PieceCounts::learning_step(std::size_t texts) {
  constexpr std::size_t max_learnt_from = 50'000;
  return texts / max_learnt_from + 1;
}

void PieceCounts::learn(std::u32string_view text, std::size_t size, std::uint32_t signs) {
  for (std::size_t at = 0; at + size <= text.size(); ++at) ++count_of(piece_hash(text, at, size, signs));
}

std::span<const PieceCounts::Piece> PieceCounts::rarest(std::u32string_view text, std::size_t size,
                                                        std::size_t needed, std::uint32_t signs) {
  pieces_.clear();
  for (std::size_t at = 0; at + size <= text.size(); at += size) {
    const std::uint64_t hash = piece_hash(text, at, size, signs);
    pieces_.push_back({count_of(hash), static_cast<std::uint32_t>(at), hash});
  }
  std::ranges::nth_element(pieces_, pieces_.begin() + static_cast<std::ptrdiff_t>(needed) - 1, {},
                           &Piece::count);
  return std::span(pieces_).first(needed);
}

}  // namespace qdedup::finder
