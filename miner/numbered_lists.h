#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "miner/ascending_numbers.h"
#include "miner/id_numbers.h"
#include "miner/seed_lists.h"
#include "miner/work_share.h"

namespace qdedup::miner {

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
// score is named. Depends on the set of lists alone, not on the order in which they were appended. At most
// 2^32-1 lists. n log n in the number of lists; beside the answer 16 bytes a list.
std::vector<std::uint32_t> canonical_order(const NumberedLists& lists, const WorkShare& share = one_by_one);

}  // namespace qdedup::miner
