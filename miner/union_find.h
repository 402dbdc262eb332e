#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace qdedup::miner {

// Disjoint sets over 0 … size-1 that never grow beyond a cap. Union by size with path splitting (Tarjan and
// van Leeuwen, "Worst-case analysis of set union algorithms", J. ACM 31(2), 1984), in a single array.
class SizeCappedUnionFind {
 public:
  enum class Join { joined, already_joined, refused };

  // `size` sets of one element; at most 2^31-1 of them. `max_set_size` is at least 1.
  SizeCappedUnionFind(std::size_t size, std::size_t max_set_size)
      : parent_(size, -1), max_set_size_(max_set_size) {}

  // Unites the sets of `a` and `b`, unless they are the same or the union would exceed the cap.
  Join join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return Join::already_joined;
    if (set_size(a) + set_size(b) > max_set_size_) return Join::refused;
    if (parent_[a] > parent_[b]) std::swap(a, b);
    parent_[a] += parent_[b];
    parent_[b] = static_cast<std::int32_t>(a);
    return Join::joined;
  }

  // The element that represents the set of `a`: after a join, that of the larger set or, if they were equal
  // in size, of join()'s first argument.
  std::uint32_t find(std::uint32_t a) {
    while (parent_[a] >= 0) {
      const auto parent = static_cast<std::uint32_t>(parent_[a]);
      if (parent_[parent] < 0) return parent;
      parent_[a] = parent_[parent];
      a = parent;
    }
    return a;
  }

  // The same, and thread-safe while nothing is joined. Takes logarithmic time, because it shortens no path.
  [[nodiscard]] std::uint32_t root_of(std::uint32_t a) const {
    while (parent_[a] >= 0) a = static_cast<std::uint32_t>(parent_[a]);
    return a;
  }

  // The number of elements in the set of `a`.
  std::size_t set_size(std::uint32_t a) { return static_cast<std::size_t>(-parent_[find(a)]); }

  // Prefetch for find(a); the first to be called earlier than the second.
  void expect(std::uint32_t a) const { __builtin_prefetch(&parent_[a]); }
  void expect_parent(std::uint32_t a) const {
    if (parent_[a] >= 0) __builtin_prefetch(&parent_[static_cast<std::uint32_t>(parent_[a])]);
  }

 private:
  std::vector<std::int32_t> parent_;  // at a root: minus the size of its set
  std::size_t max_set_size_;
};

// The sets of `values` connected by `edges`: each ascending, in order of their smallest values. `values`
// ascend. O(n log n).
template <class Value>
std::vector<std::vector<Value>> connected_sets(
    const std::vector<Value>& values, std::type_identity_t<std::span<const std::pair<Value, Value>>> edges) {
  const auto place_of = [&](const Value& value) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(values, value) - values.begin());
  };
  SizeCappedUnionFind together(values.size(), values.size() + 1);
  for (const auto& [a, b] : edges) together.join(place_of(a), place_of(b));
  std::vector<std::vector<Value>> sets;
  std::map<std::uint32_t, std::size_t> set_of_root;
  for (std::uint32_t place = 0; place < values.size(); ++place) {
    const auto [set, is_new] = set_of_root.try_emplace(together.find(place), sets.size());
    if (is_new) sets.emplace_back();
    sets[set->second].push_back(values[place]);
  }
  return sets;
}

}  // namespace qdedup::miner
