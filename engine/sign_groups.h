#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "engine/past.h"
#include "finder/compact_text_store.h"
#include "miner/numbered_lists.h"
#include "refine/duplicate_test.h"
#include "refine/keepers.h"

namespace qdedup::engine {

// A question of a sweep.
struct SweepRow {
  QuestionId id;
  std::uint64_t text_hash;
  std::uint32_t bucket;  // the caller's
  // An earlier sweep found no duplicates of it among the other swept questions; after deciding: this one
  // found none.
  bool swept;
};

// Questions and their Han parts by number, ids ascending, in groups with equal signs (not by fingerprint
// alone).
struct SignGroups {
  std::vector<SweepRow> rows;
  finder::CompactTextStore hans;
  std::vector<std::uint32_t> grouped;       // all numbers, group by group, ascending in each
  std::vector<std::uint32_t> group_begins;  // and one more: the end of the last

  // Of memory, without the groups.
  [[nodiscard]] std::uint64_t bytes() const { return rows.size() * sizeof(SweepRow) + hans.bytes(); }
  [[nodiscard]] std::size_t size() const { return group_begins.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> group(std::size_t i) const {
    return std::span(grouped).subspan(group_begins[i], group_begins[i + 1] - group_begins[i]);
  }
};

// What deciding groups may take. The result does not depend on it.
struct GroupLimits {
  unsigned threads = 1;  // that `share` has
  miner::WorkShare share = miner::one_by_one;
  std::size_t indexed_at_once = std::numeric_limits<std::size_t>::max();  // questions, at least 1
  std::size_t block = 2048;          // questions that are looked up in parallel, at least 1
  std::size_t large_group = 20'000;  // questions from which a group has all threads for itself
};

// Chooses keepers in each group, as choose_keepers() does in a cluster: in large groups one after the other,
// each on all threads, in small ones in parallel. Changes `swept` of the rows. `moved` is called now and then
// with how many questions were decided.
refine::KeeperChoice decide_groups(SignGroups& groups, const Past& past,
                                   const refine::DuplicateSettings& settings, const GroupLimits& limits,
                                   const std::function<void(std::size_t questions)>& moved);

}  // namespace qdedup::engine
