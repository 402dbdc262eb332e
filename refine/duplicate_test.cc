#include "refine/duplicate_test.h"

#include <algorithm>
#include <limits>

#include "refine/distance.h"

namespace qdedup::refine {
namespace {

std::size_t han_distance(const Parts& a, const Parts& b, Similarity similarity, std::size_t cutoff) {
  return similarity == Similarity::lcs ? lcs_distance(a.han, b.han, cutoff)
                                       : levenshtein_distance(a.han, b.han, cutoff);
}

Comparison without_distance(const Parts& a, const Parts& b) {
  return {.same_signs = a.signs == b.signs, .length = std::max(a.han.size(), b.han.size())};
}

}  // namespace

std::string_view name(Similarity similarity) { return similarity == Similarity::lcs ? "lcs" : "levenshtein"; }

std::size_t distance_limit(std::size_t length, int min_similarity) {
  return length * static_cast<std::size_t>(100 - min_similarity) / 100;
}

Comparison compare(const Parts& a, const Parts& b, const DuplicateSettings& settings) {
  Comparison result = without_distance(a, b);
  if (!result.same_signs) return result;
  const std::size_t limit = distance_limit(result.length, settings.min_similarity);
  result.distance = han_distance(a, b, settings.similarity, limit);
  result.duplicate = result.distance <= limit;
  return result;
}

Comparison compare_in_full(const Parts& a, const Parts& b, const DuplicateSettings& settings) {
  Comparison result = without_distance(a, b);
  result.distance = han_distance(a, b, settings.similarity, std::numeric_limits<std::size_t>::max());
  result.duplicate =
      result.same_signs && result.distance <= distance_limit(result.length, settings.min_similarity);
  return result;
}

}  // namespace qdedup::refine
