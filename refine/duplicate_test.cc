#include "refine/duplicate_test.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "refine/distance.h"

namespace qdedup::refine {
namespace {

std::size_t han_distance(const Parts& a, const Parts& b, Similarity similarity, std::size_t cutoff) {
  return similarity == Similarity::lcs ? lcs_distance(a.han, b.han, cutoff)
                                       : levenshtein_distance(a.han, b.han, cutoff);
}

bool are_same(std::u32string_view a, std::u32string_view b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(char32_t)) == 0;
}

Comparison without_distance(const Parts& a, const Parts& b) {
  return {.same_signs = are_same(a.signs, b.signs), .length = std::max(a.han.size(), b.han.size())};
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
  result.distance = are_same(a.han, b.han) ? 0 : han_distance(a, b, settings.similarity, limit);
  result.duplicate = result.distance <= limit;
  return result;
}

Comparison compare(const Comparand& a, const Comparand& b, const DuplicateSettings& settings) {
  const std::size_t length = std::max(a.parts.han.size(), b.parts.han.size());
  const std::size_t limit = distance_limit(length, settings.min_similarity);
  if (a.bag.least_distance(b.bag) <= limit) return compare(a.parts, b.parts, settings);
  Comparison result = without_distance(a.parts, b.parts);
  if (result.same_signs) result.distance = limit + 1;
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
