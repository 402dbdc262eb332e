#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/arrivals.h"
#include "db/class_updater.h"
#include "db/decisions.h"
#include "db/lake.h"
#include "db/store.h"
#include "db/verified_pairs.h"
#include "refine/keepers.h"

namespace qdedup::db {

// The counts of one iteration, step by step.
struct IterationCounts {
  std::uint64_t lines = 0;  // in the evidence consumed
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

// The counts by their names, in the order of the table.
struct CountColumn {
  const char* name;
  std::uint64_t IterationCounts::*field;
};

inline constexpr std::array<CountColumn, 15> count_columns = {{
    {"lines", &IterationCounts::lines},
    {"selected", &IterationCounts::selected},
    {"unselected", &IterationCounts::unselected},
    {"rejected", &IterationCounts::rejected},
    {"distinct_lists", &IterationCounts::distinct_lists},
    {"ids", &IterationCounts::ids},
    {"joins", &IterationCounts::joins},
    {"refused_joins", &IterationCounts::refused_joins},
    {"clusters", &IterationCounts::clusters},
    {"largest_cluster", &IterationCounts::largest_cluster},
    {"missing", &IterationCounts::missing},
    {"deletions", &IterationCounts::deletions},
    {"repointed", &IterationCounts::repointed},
    {"held", &IterationCounts::held},
    {"withdrawn", &IterationCounts::withdrawn},
}};

struct IterationRecord {
  std::int64_t id = 0;
  std::string kind;  // "logs" or "sweep"
  std::string started_at;
  std::string finished_at;
  std::string version;
  std::string settings;  // JSON
  std::string weights;   // with which the risks were estimated (refine::RiskModel::name)
  IterationCounts counts;
  std::map<std::uint64_t, std::uint64_t> cluster_sizes;  // size -> clusters of that size
  // It listed more deletions than allowed: none can be approved until people release it.
  bool withheld = false;
  std::string released_at;  // empty unless withheld and then released
  std::string released_by;
};

// Everything that one iteration changes.
struct IterationDraft {
  IterationRecord record;  // the id is assigned on commit
  std::int64_t last_evidence_id = 0;
  std::int64_t last_reopened_id = 0;  // of the withdrawn pairs that this iteration decides anew
  std::vector<Withdrawal> withdrawn;
  refine::AnnotatedOutcome outcome;              // its deletions are pending at first
  std::vector<LostPair> lost;                    // earlier pairs that are no longer verified
  refine::ApprovalPolicy policy;                 // approves some of the deletions
  std::vector<LakeLogRecord> lake_logs;          // that it was made of
  std::vector<BankQuestion> lake_questions;      // of a bank in a lake: those of its pairs, and changed ones
  std::vector<QuestionId> gone_lake_questions;   // that left that bank
  std::optional<std::chrono::sys_seconds> slot;  // the slot of the schedule that it ran for
  ArrivalOf arrival_of;                          // of the bank
  std::optional<FollowedBank> bank;              // that it was made of; none: one in a lake
};

class Iterations {
 public:
  explicit Iterations(Store& store) : store_(store) {}

  // Withdraws, re-points, lists, settles classes, approves by policy, consumes the evidence up to
  // last_evidence_id and drops the chunks of all but the `kept_iterations` newest iterations, in one
  // transaction. Returns the iteration's id.
  Result<std::int64_t> commit(const IterationDraft& draft, std::uint64_t kept_iterations);

  // Oldest first.
  Result<std::vector<IterationRecord>> all();

  // Allows approving the deletions of a withheld iteration. False if it is not withheld.
  Result<bool> release(std::int64_t id, const std::string& by, const std::string& at);

  // Those that are withheld, oldest first.
  Result<std::vector<std::int64_t>> withheld();

  // The iteration `id`, or the newest one.
  Result<std::optional<IterationRecord>> find(std::optional<std::int64_t> id);
  // Fails if there is no such iteration.
  Result<IterationRecord> existing(std::int64_t id);

 private:
  Store& store_;
};

// The slots of the schedule that are done: an iteration ran for each, or was not supposed to.
class Slots {
 public:
  explicit Slots(Store& store) : store_(store) {}

  // Oldest first.
  Result<std::vector<std::chrono::sys_seconds>> recorded();

  // Records that `slot` is done; may be repeated.
  Status record(std::chrono::sys_seconds slot, const std::string& recorded_at);

 private:
  Store& store_;
};

}  // namespace qdedup::db
