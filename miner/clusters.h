#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "miner/numbered_lists.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

struct MergeSettings {
  std::size_t max_cluster_size = 200;  // at least 2
};

struct MergeCounts {
  std::uint64_t lists = 0;           // appended
  std::uint64_t distinct_lists = 0;  // after lists with the same ids became one
  std::uint64_t ids = 0;             // distinct
  std::uint64_t joins = 0;           // that united two clusters
  std::uint64_t refused_joins = 0;   // because they would have exceeded the cap
  std::uint64_t clusters = 0;        // ids - joins, including those of single ids
  std::uint64_t largest_cluster = 0;

  friend bool operator==(const MergeCounts&, const MergeCounts&) = default;
};

// The counts of some questions, with the number of their sets by size; 0 for what is counted of lists.
MergeCounts counts_of_groups(std::uint64_t questions, const std::map<std::uint64_t, std::uint64_t>& sizes);

// Disjoint sets of ids; one of a single id is a question whose every join was refused. Ids ascend within a
// cluster; clusters ascend by their smallest id.
class Clusters {
 public:
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const QuestionId> ids(std::size_t cluster) const;
  [[nodiscard]] std::size_t bytes() const;  // of memory
  [[nodiscard]] const MergeCounts& counts() const { return counts_; }

  // Number of clusters by size.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> sizes() const;

 private:
  friend class Merge;

  std::vector<QuestionId> ids_;
  std::vector<std::uint32_t> ends_;  // where cluster i ends in ids_
  MergeCounts counts_;
};

// The resources for a merge. The result does not depend on them.
struct MergeBudget {
  std::uint64_t id_occurrences = 0;  // approximate number of ids in the lists, including repetitions
  std::uint64_t memory_bytes = std::uint64_t{1} << 30U;
  WorkShare share = one_by_one;
};

// Takes the lists in canonical order and joins the first id of each with its other ids in listed order,
// refusing joins that would create a cluster of more than `max_cluster_size` ids. O(n log n) in the number of
// ids listed; at most 2^31-1 distinct ids and 2^32-1 lists. Reads the source twice, or more often if memory
// is short: 32 bytes per list and 4 per id in it, for as many lists as fit at a time, and finally 28 per
// distinct id. Fails only with an error of the source.
Result<Clusters> merge(const ListSource& source, const MergeSettings& settings, const MergeBudget& budget,
                       const Progress& progress);

// The same for lists in memory.
Clusters merge(const SeedLists& lists, const MergeSettings& settings);

}  // namespace qdedup::miner
