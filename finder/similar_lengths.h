#pragma once

#include <cstddef>

#include "refine/duplicate_test.h"

namespace qdedup::finder {

// Which lengths the Han parts have that can pass the duplicate test with one of `length`: from the length of
// which `min_similarity` percent are left when all that is longer goes, to the one of which `length` is that
// much.
struct SimilarLengths {
  std::size_t least;
  std::size_t most;
};

// `no_end` stands for what has no bound (0 percent).
SimilarLengths similar_lengths(std::size_t length, int min_similarity, std::size_t no_end);

// How many disjoint pieces of a text of `length` can be destroyed at most on the way to a text that passes
// the duplicate test with it. An edit destroys one piece at most; a distance by the longest common
// subsequence counts a replacement once, though it is a character less and a character more at perhaps
// another place.
std::size_t most_destroyed_pieces(std::size_t length, const refine::DuplicateSettings& settings,
                                  std::size_t no_end);

}  // namespace qdedup::finder
