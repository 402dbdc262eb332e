#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/decisions.h"
#include "db/store.h"
#include "db/verified_pairs.h"
#include "refine/keepers.h"

namespace qdedup::db {

// The counts of one iteration, step by step.
struct IterationCounts {
  std::uint64_t lines = 0;  // of the evidence consumed
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::uint64_t rejected = 0;
  std::uint64_t distinct_lists = 0;  // merge
  std::uint64_t ids = 0;
  std::uint64_t joins = 0;
  std::uint64_t refused_joins = 0;
  std::uint64_t clusters = 0;
  std::uint64_t largest_cluster = 0;
  std::uint64_t missing = 0;  // refine
  std::uint64_t deletions = 0;
  std::uint64_t repointed = 0;
  std::uint64_t held = 0;
  std::uint64_t withdrawn = 0;

  friend bool operator==(const IterationCounts&, const IterationCounts&) = default;
};

struct IterationRecord {
  std::int64_t id = 0;
  std::string kind;  // "logs" or "sweep"
  std::string started_at;
  std::string finished_at;
  std::string version;
  std::string settings;  // JSON
  IterationCounts counts;
  std::map<std::uint64_t, std::uint64_t> cluster_sizes;  // size -> clusters of that size
  // It listed more deletions than it may: none of them can be approved before people release it.
  bool withheld = false;
  std::string released_at;  // empty unless it was withheld and then released
  std::string released_by;
};

// All that one iteration changes.
struct IterationDraft {
  IterationRecord record;  // id is given on commit
  std::int64_t last_evidence_id = 0;
  std::int64_t last_reopened_id = 0;  // of the pairs withdrawn before that are decided anew
  std::vector<Withdrawal> withdrawn;
  refine::AnnotatedOutcome outcome;              // its deletions are pending at first
  std::vector<LostPair> lost;                    // of those before: not verified any more
  bool approve_safe = false;                     // the policy approves those that are safe
  std::optional<std::chrono::sys_seconds> slot;  // of the schedule, that this was for
};

class Iterations {
 public:
  explicit Iterations(Store& store) : store_(store) {}

  // Withdraws, re-points, lists, settles classes, approves by policy, consumes the evidence
  // up to last_evidence_id and drops the chunks of iterations older than the `kept_iterations` newest: all in
  // one transaction. Returns the iteration's id.
  Result<std::int64_t> commit(const IterationDraft& draft, std::uint64_t kept_iterations);

  // Oldest first.
  Result<std::vector<IterationRecord>> all();

  // Lets the deletions of an iteration that was withheld be approved. False where it is not withheld.
  Result<bool> release(std::int64_t id, const std::string& by, const std::string& at);

  // The iteration `id`, or the newest one.
  Result<std::optional<IterationRecord>> find(std::optional<std::int64_t> id);

 private:
  Store& store_;
};

// The slots of the schedule that are done: an iteration ran for each, or was not to.
class Slots {
 public:
  explicit Slots(Store& store) : store_(store) {}

  // Oldest first.
  Result<std::vector<std::chrono::sys_seconds>> recorded();

  // Notes that `slot` is done; once or again.
  Status record(std::chrono::sys_seconds slot, const std::string& recorded_at);

 private:
  Store& store_;
};

}  // namespace qdedup::db
