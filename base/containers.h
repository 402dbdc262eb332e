#pragma once

#include <algorithm>

namespace qdedup {

// Sorts a vector or a string and removes duplicates. O(n log n).
template <class Values>
void sort_unique(Values& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Empties a vector or a string and frees its memory, which clear() and `= {}` keep.
template <class Values>
void release(Values& values) {
  Values().swap(values);
}

}  // namespace qdedup
