#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// How alike two sets are, exactly: in whole numbers.
namespace qdedup::refine {

enum class SetMeasure {
  jaccard,  // what two sets have in common, of what they have together
  cosine,   // of the geometric mean of their sizes
};

// How many values two ascending sets have in common.
template <class Value>
std::size_t common_count(std::span<const Value> a, std::span<const Value> b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) ++common;
    const bool next_a = a[i] <= b[j];
    const bool next_b = b[j] <= a[i];
    i += next_a ? 1U : 0U;
    j += next_b ? 1U : 0U;
  }
  return common;
}

// The sizes of two sets, and of what they have in common: each less than 2^24.
struct SetSizes {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t common = 0;
};

// Whether they are at least `min_similarity` percent alike.
bool are_alike(SetMeasure measure, const SetSizes& sizes, std::uint64_t min_similarity);

// How much a set of this size has in common, at least, with any set that is so alike.
std::uint64_t min_common(SetMeasure measure, std::uint64_t size, std::uint64_t min_similarity);

// In hundredths of a percent, rounded half up. One of the sets at least is not empty.
std::uint64_t hundredths_alike(SetMeasure measure, const SetSizes& sizes);

}  // namespace qdedup::refine
