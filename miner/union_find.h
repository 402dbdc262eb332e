#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qdedup::miner {

// Disjoint sets over 0 … size-1 that never grow beyond a cap. Union by size with path splitting (Tarjan and
// van Leeuwen, "Worst-case analysis of set union algorithms", J. ACM 31(2), 1984), in one array.
class SizeCappedUnionFind {
 public:
  enum class Join { joined, already_joined, refused };

  // `size` sets of one element; at most 2^31-1 of them. `max_set_size` is at least 1.
  SizeCappedUnionFind(std::size_t size, std::size_t max_set_size);

  // Unites the sets of `a` and `b`, unless they are one already or the union would exceed the cap.
  Join join(std::uint32_t a, std::uint32_t b);

  // The element that stands for the set of `a`. Which one it is depends on the joins made.
  std::uint32_t find(std::uint32_t a);

  // The sets, each ascending, in order of their smallest elements. Linear but for a map of the sets.
  std::vector<std::vector<std::uint32_t>> sets();

  // How many elements the set of `a` has.
  std::size_t set_size(std::uint32_t a);

  // Say that find(a) comes soon, and that it comes very soon.
  void expect(std::uint32_t a) const { __builtin_prefetch(&parent_[a]); }
  void expect_parent(std::uint32_t a) const {
    if (parent_[a] >= 0) __builtin_prefetch(&parent_[static_cast<std::uint32_t>(parent_[a])]);
  }

 private:
  std::vector<std::int32_t> parent_;  // at a root: minus the size of its set
  std::size_t max_set_size_;
};

}  // namespace qdedup::miner
