#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "engine/past.h"
#include "finder/compact_text_store.h"
#include "miner/numbered_lists.h"
#include "refine/duplicate_test.h"
#include "refine/keepers.h"
#include "refine/parts.h"

namespace qdedup::engine {

// A question of a sweep.
struct SweepRow {
  QuestionId id;
  std::uint64_t text_hash;
  std::uint32_t bucket;  // for the caller's use
  // Before deciding: an earlier sweep found no duplicates of it among the other swept questions. After
  // deciding: this sweep found none.
  bool swept;
};

// Questions and their Han parts (or what is compared in their place) by number, with ascending ids, in groups
// with equal signs (not merely equal fingerprints), or one group if signs do not count.
struct SignGroups {
  std::vector<SweepRow> rows;
  finder::CompactTextStore hans;
  std::vector<std::uint32_t> grouped;       // all numbers, by group, ascending in each
  std::vector<std::uint32_t> group_begins;  // with the end of the last group as an additional element

  // In memory, excluding the groups.
  [[nodiscard]] std::uint64_t bytes() const { return rows.size() * sizeof(SweepRow) + hans.bytes(); }
  [[nodiscard]] std::size_t size() const { return group_begins.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> group(std::size_t i) const {
    return std::span(grouped).subspan(group_begins[i], group_begins[i + 1] - group_begins[i]);
  }
};

// Puts questions into groups.
class SignGrouping {
 public:
  // `shared`: the fingerprints that may occur, ascending, without repetition; they must outlive the object.
  // `questions`: about how many will be added.
  SignGrouping(std::span<const std::uint64_t> shared, std::size_t questions);

  // By ascending id, with compared_parts(). Questions with equal signs must have equal fingerprints.
  void add(const SweepRow& row, std::uint64_t fingerprint, const refine::Parts& parts);

  [[nodiscard]] std::size_t size() const { return groups_.rows.size(); }  // questions
  SignGroups finish() &&;

 private:
  std::uint32_t group_of(std::uint64_t fingerprint, const std::u32string& signs);

  std::span<const std::uint64_t> shared_;
  std::vector<std::uint32_t> signs_of_group_;  // of its first question
  finder::CompactTextStore signs_;
  // The groups of other signs with the same fingerprint.
  std::map<std::pair<std::uint32_t, std::u32string>, std::uint32_t> others_;
  SignGroups groups_;
  std::vector<std::uint32_t> group_of_;  // by number of the question
};

// Resources for deciding groups. The result does not depend on them.
struct GroupLimits {
  unsigned threads = 1;  // the number that `share` uses
  miner::WorkShare share = miner::one_by_one;
  std::size_t indexed_at_once = std::numeric_limits<std::size_t>::max();  // questions, at least 1
  std::size_t block = 128;           // looked up in parallel, for each thread; at least 1
  std::size_t large_group = 20'000;  // a group of at least this many questions gets all threads to itself
};

// Chooses keepers in each group, as choose_keepers() does in a cluster: large groups one after another, each
// on all threads, small ones in parallel. Updates `swept` of the rows. `moved` is called now and then with
// how many questions were decided.
refine::KeeperChoice decide_groups(SignGroups& groups, const Past& past,
                                   const refine::DuplicateSettings& settings, const GroupLimits& limits,
                                   const std::function<void(std::size_t questions)>& moved);

}  // namespace qdedup::engine
