#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/store.h"

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
};

// A deletion as an iteration lists it, always pending at first.
struct NewDeletion {
  QuestionId question = 0;
  QuestionId keeper = 0;  // smaller than question
  std::uint64_t distance = 0;
  std::uint64_t length = 0;
  std::string confidence;  // "safe" or "doubtful"
  std::string reasons;     // joined by ';'
  std::uint64_t question_hash = 0;
  std::uint64_t keep_hash = 0;
};

// A deletion that is no longer held to be open or rejected, and why.
struct Withdrawal {
  std::int64_t deletion_id = 0;
  std::string reason;
};

// All that one iteration changes.
struct IterationDraft {
  IterationRecord record;  // id is given on commit
  std::int64_t last_evidence_id = 0;
  std::vector<Withdrawal> withdrawn;
  std::vector<NewDeletion> repointed;  // open deletions of these questions get this keeper
  std::vector<NewDeletion> deletions;
  std::optional<std::chrono::sys_seconds> slot;  // of the schedule, that is done with thereby
};

class Iterations {
 public:
  explicit Iterations(Store& store) : store_(store) {}

  // Withdraws, re-points, lists, consumes the evidence up to last_evidence_id and drops the chunks of
  // iterations older than the `kept_iterations` newest: all in one transaction. The answer is the iteration's
  // id.
  Result<std::int64_t> commit(const IterationDraft& draft, std::uint64_t kept_iterations);

  // Oldest first.
  Result<std::vector<IterationRecord>> all();

  // The iteration `id`, or the newest one.
  Result<std::optional<IterationRecord>> find(std::optional<std::int64_t> id);

 private:
  Store& store_;
};

}  // namespace qdedup::db
