#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "engine/past.h"
#include "engine/revalidation.h"
#include "miner/clusters.h"

namespace qdedup::iteration {

// What an iteration works with.
struct IterationContext {
  db::Store& reading;        // a separate connection, so that mining can continue
  db::StoreWriter& writing;  // to hold the evidence, and for the commit
  db::Bank& bank;
  const config::Settings& settings;
  const Clock& clock;
  Progress progress;
};

// The iteration as stored; none if there was nothing new to decide.
using StoredIteration = std::optional<db::IterationRecord>;

// An iteration that has not been decided yet.
struct BegunIteration {
  db::IterationDraft draft;  // already contains withdrawals and pairs that are no longer valid
  engine::Past past;
  refine::ContrastSettings contrast;  // with the weights in force

  // Whether the past leaves nothing to decide.
  [[nodiscard]] bool is_settled() const { return draft.withdrawn.empty() && past.reopened.empty(); }
};

// Begins an iteration of that kind ("logs" or "sweep"): brings the texts of the bank up to date, and checks
// past deletions against it. Fails if the bank is empty or incomplete (evidence would be consumed in vain,
// and deletions withdrawn because their questions are still missing), or was imported with other settings of
// texts.
Result<BegunIteration> begin_iteration(const std::string& kind, const IterationContext& context);

// The same for a bank that is elsewhere, with these texts.
Result<BegunIteration> begin_iteration(const std::string& kind, const IterationContext& context,
                                       const engine::PresentText& present);

// ErrorCode::data if the bank is incomplete: it cannot show which questions are new, or which are gone.
Status expect_no_interrupted_import(db::Bank& bank);

// Whether iterations were decided on Spark, and no bank was imported since.
Result<bool> is_in_lake(db::Store& store, db::Bank& bank);

// Fails if the bank is in a lake, so that nothing here can be compared with it.
Status expect_bank_here(db::Store& store, db::Bank& bank);

// As the config has them.
std::string shown_options(const markup::Options& options);

// By which the newest iteration read texts, if there is one.
Result<std::optional<markup::Options>> last_options(db::Store& store);

// ErrorCode::config where the texts of the bank, or, if it is new, those that the newest iteration decided
// on, were extracted with other options: whoever decides with these would do so on other texts. An import
// changes them.
Status expect_text_settings(db::Store& store, db::Bank& bank, const markup::Options& wanted);

// Fails as begin_iteration() does, but of a bank in a lake the questions of listed pairs are enough.
Status check_has_pairs(db::Store& store, db::Bank& bank);

// Decides what happens to the draft's deletions without review, counts them, and commits. If there are too
// many of the bank's `questions`, they wait for people, whatever the policy.
Result<StoredIteration> commit_draft(db::IterationDraft draft, std::uint64_t questions,
                                     const IterationContext& context);

// The same, with the questions of the bank here.
Result<StoredIteration> commit_draft(db::IterationDraft draft, const IterationContext& context);

// Copies the counts of the merge.
void count_merge(const miner::MergeCounts& merge, db::IterationCounts& counts);

// Commits just the pairs that are no longer valid, when there is nothing else to commit, and returns none.
Result<StoredIteration> commit_stale_pairs(const db::IterationDraft& draft, db::StoreWriter& writing);

}  // namespace qdedup::iteration
