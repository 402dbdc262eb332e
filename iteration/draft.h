#pragma once

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

namespace qdedup::iteration {

// An iteration that is not decided yet.
struct BegunIteration {
  db::IterationDraft draft;  // has what past deletions mean already: what is withdrawn or does not hold
  engine::Past past;
};

// Begins one of that kind ("logs" or "sweep"), whose past deletions are compared with the bank, the
// fingerprints of which are brought up to date first. Fails as check_complete() does.
Result<BegunIteration> begin_iteration(const std::string& kind, db::Store& reading, db::Bank& bank,
                                       const config::Settings& settings, const Clock& clock,
                                       const Progress& progress);

// Fails on a bank with no questions, or a part of them: lists would be consumed for nothing, and deletions
// withdrawn whose questions are yet to come.
Status check_complete(db::Bank& bank);

// Decides what happens to the draft's deletions without people, counts them, and commits. Too many of them
// wait for people, whatever the policy is. Returns the iteration as it was stored.
Result<std::optional<db::IterationRecord>> commit_draft(db::IterationDraft draft, db::StoreWriter& writing,
                                                        db::Bank& bank, const config::Settings& settings,
                                                        const Clock& clock);

// Commits only that pairs no longer hold, where there is nothing else.
Status commit_stale_pairs(const db::IterationDraft& draft, db::StoreWriter& writing);

}  // namespace qdedup::iteration
