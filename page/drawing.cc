#include "page/drawing.h"

#include <algorithm>
#include <random>
#include <utility>

namespace qdedup::page {

// The first steps of a shuffle (Fisher and Yates).
std::vector<std::int64_t> draw(std::vector<std::int64_t> ids, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  size = std::min(size, ids.size());
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t chosen = i + random() % (ids.size() - i);
    std::swap(ids[i], ids[chosen]);
  }
  ids.resize(size);
  return ids;
}

}  // namespace qdedup::page
