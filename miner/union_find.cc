#include "miner/union_find.h"

#include <utility>

namespace qdedup::miner {

SizeCappedUnionFind::SizeCappedUnionFind(std::size_t size, std::size_t max_set_size)
    : parent_(size, -1), max_set_size_(max_set_size) {}

SizeCappedUnionFind::Join SizeCappedUnionFind::join(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return Join::already_joined;
  if (set_size(a) + set_size(b) > max_set_size_) return Join::refused;
  if (parent_[a] > parent_[b]) std::swap(a, b);
  parent_[a] += parent_[b];
  parent_[b] = static_cast<std::int32_t>(a);
  return Join::joined;
}

std::uint32_t SizeCappedUnionFind::find(std::uint32_t a) {
  while (parent_[a] >= 0) {
    const auto parent = static_cast<std::uint32_t>(parent_[a]);
    if (parent_[parent] < 0) return parent;
    parent_[a] = parent_[parent];
    a = parent;
  }
  return a;
}

std::size_t SizeCappedUnionFind::set_size(std::uint32_t a) {
  return static_cast<std::size_t>(-parent_[find(a)]);
}

}  // namespace qdedup::miner
