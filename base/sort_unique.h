#pragma once

#include <algorithm>
#include <vector>

namespace qdedup {

// Makes `values` ascend, each once. n log n.
template <class Value>
void sort_unique(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace qdedup
