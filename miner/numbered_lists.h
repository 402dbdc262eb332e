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

// Numbers that never descend, in 4 bytes each: their low halves, and beside them the places where the high
// half grows, none below 2^32. Looking one up takes as many steps as the high half has grown by then.
class AscendingNumbers {
 public:
  void reserve(std::size_t numbers) { low_.reserve(numbers); }

  // `number` is not less than the last one.
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

  // Says that the one at `place` comes soon.
  void expect(std::size_t place) const { __builtin_prefetch(&low_[place]); }

 private:
  std::vector<std::uint32_t> low_;
  std::vector<std::size_t> grows_at_;  // by one each, ascending
};

// Calls work(i) once for each i below `count`, in any order, perhaps in parallel, and returns when all are
// done. The caller brings the threads; the miner has none.
using WorkShare = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

// One after the other.
inline void one_by_one(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

// Ascends while finite scores descend. Both zeros are the same score.
inline std::uint64_t score_key(double score) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  return (bits & sign) != 0 ? bits : ~(bits | sign);
}

// Many seed lists with numbers in place of ids (see IdNumbers; numbers compare like ids), in half the memory:
// 12 bytes for each list and 4 for each of its ids.
class NumberedLists {
 public:
  // Room for so many lists and so many ids in all of them.
  void reserve(std::size_t lists, std::size_t ids);

  // Appends lists, all of whose ids are numbered.
  void append(const SeedLists& lists, const IdNumbers& numbers);

  [[nodiscard]] std::size_t size() const { return top_scores_.size(); }
  [[nodiscard]] double top_score(std::size_t list) const { return top_scores_[list]; }
  [[nodiscard]] std::span<const std::uint32_t> members(std::size_t list) const {
    const std::uint64_t begin = list == 0 ? 0 : ends_[list - 1];
    return std::span(members_).subspan(begin, ends_[list] - begin);
  }

  // Say that top_score(list), or members(list), comes soon, and that members(list) comes very soon.
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

// The numbers of the lists, one of those with the same ids: one with the highest top score. In any order.
std::vector<std::uint32_t> distinct_lists(const NumberedLists& lists, const WorkShare& share = one_by_one);

// The numbers of the lists in the order in which they are merged: by top score, highest first, ties by their
// ids, compared number by number, smaller first. Of lists with the same ids only the one with the highest top
// score is named. Does not depend on the order in which they were appended. At most 2^32-1 lists. n log n in
// the number of lists; besides the result 16 bytes a list.
std::vector<std::uint32_t> canonical_order(const NumberedLists& lists, const WorkShare& share = one_by_one);

}  // namespace qdedup::miner
