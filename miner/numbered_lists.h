#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "miner/id_numbers.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

// Non-descending numbers in 4 bytes each: their low halves, plus the positions where the high half increases,
// all below 2^32. A look-up takes as many steps as the high half has increased up to there.
class AscendingNumbers {
 public:
  void reserve(std::size_t numbers) { low_.reserve(numbers); }

  // `number` must not be less than the last one.
  void append(std::uint64_t number) {
    while (number >> 32U > grows_at_.size()) grows_at_.push_back(low_.size());
    low_.push_back(static_cast<std::uint32_t>(number));
  }

  [[nodiscard]] std::size_t size() const { return low_.size(); }
  [[nodiscard]] std::uint64_t operator[](std::size_t place) const {
    std::uint64_t number = low_[place];
    for (std::size_t i = 0; i < grows_at_.size() && grows_at_[i] <= place; ++i)
      number += std::uint64_t{1} << 32U;
    return number;
  }

  // Prefetches the number at `place`.
  void expect(std::size_t place) const { __builtin_prefetch(&low_[place]); }

 private:
  std::vector<std::uint32_t> low_;
  std::vector<std::size_t> grows_at_;  // by one at each position, ascending
};

// Calls work(i) once for each i below `count`, in any order, perhaps in parallel, and returns when all are
// done. The caller provides the threads, as the miner has none.
using WorkShare = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

// Calls them one after another.
inline void one_by_one(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

// A key that ascends as finite scores descend. Both zeros have the same key.
inline std::uint64_t score_key(double score) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  return (bits & sign) != 0 ? bits : ~(bits | sign);
}

// Many seed lists with numbers instead of ids (see IdNumbers; numbers compare like ids), in half the memory:
// 12 bytes per list and 4 per id in it.
class NumberedLists {
 public:
  // Reserves memory for this many lists and this many ids in all of them.
  void reserve(std::size_t lists, std::size_t ids);

  // Appends lists, whose ids must all be numbered.
  void append(const SeedLists& lists, const IdNumbers& numbers);

  [[nodiscard]] std::size_t size() const { return top_scores_.size(); }
  [[nodiscard]] double top_score(std::size_t list) const { return top_scores_[list]; }
  [[nodiscard]] std::span<const std::uint32_t> members(std::size_t list) const {
    const std::uint64_t begin = list == 0 ? 0 : ends_[list - 1];
    return std::span(members_).subspan(begin, ends_[list] - begin);
  }

  // Prefetch for top_score(list) and members(list); expect_members() should be called later than expect().
  void expect_score(std::size_t list) const { __builtin_prefetch(&top_scores_[list]); }
  void expect(std::size_t list) const { ends_.expect(list); }
  void expect_members(std::size_t list) const {
    __builtin_prefetch(members_.data() + (list == 0 ? 0 : ends_[list - 1]));
  }

 private:
  std::vector<double> top_scores_;
  AscendingNumbers ends_;  // where list i ends in members_
  std::vector<std::uint32_t> members_;
};

// The numbers of the lists without repetitions: of those with the same ids, one with the highest top score.
// In any order.
std::vector<std::uint32_t> distinct_lists(const NumberedLists& lists, const WorkShare& share = one_by_one);

// The numbers of the lists in the order in which they are merged: by top score, highest first, ties by their
// ids, compared one by one, smaller first. Of lists with the same ids, includes only the one with the highest
// top score. Does not depend on the order in which they were appended. At most 2^32-1 lists. O(n log n) in
// the number of lists; needs 16 bytes per list besides the result.
std::vector<std::uint32_t> canonical_order(const NumberedLists& lists, const WorkShare& share = one_by_one);

}  // namespace qdedup::miner
