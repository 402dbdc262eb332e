#pragma once

#include <algorithm>
#include <vector>

namespace qdedup {

// Sorts `values` and removes duplicates. O(n log n).
template <class Value>
void sort_unique(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Empties a vector or a string and frees its memory, which clear() and `= {}` keep.
template <class Values>
void release(Values& values) {
  Values().swap(values);
}

}  // namespace qdedup
