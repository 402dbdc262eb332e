#include "finder/similar_lengths.h"

#include <algorithm>

namespace qdedup::finder {

SimilarLengths similar_lengths(std::size_t length, int min_similarity, std::size_t no_end) {
  const std::size_t least = length - refine::distance_limit(length, min_similarity);
  if (min_similarity == 0) return {least, no_end};
  return {least, std::min(no_end, length * 100 / static_cast<std::size_t>(min_similarity))};
}

std::size_t most_destroyed_pieces(std::size_t length, const refine::DuplicateSettings& settings,
                                  std::size_t no_end) {
  const std::size_t longest = similar_lengths(length, settings.min_similarity, no_end).most;
  const std::size_t most_edits = refine::distance_limit(longest, settings.min_similarity);
  if (settings.similarity == refine::Similarity::levenshtein) return most_edits;
  // With a partner of length L >= length: length - L + 2 * limit(L), which grows or falls with L throughout.
  const std::size_t with_shortest =
      2 * length * static_cast<std::size_t>(100 - settings.min_similarity) / 100;
  const std::size_t with_longest =
      length + 2 * longest * static_cast<std::size_t>(100 - settings.min_similarity) / 100 - longest;
  return std::max(with_shortest, with_longest);
}

}  // namespace qdedup::finder
