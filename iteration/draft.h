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

// What an iteration works with.
struct IterationContext {
  db::Store& reading;        // a connection of its own, so that mining goes on meanwhile
  db::StoreWriter& writing;  // for the commit alone
  db::Bank& bank;
  const config::Settings& settings;
  const Clock& clock;
  Progress progress;
};

// As it was stored; nothing where there was nothing new to decide.
using StoredIteration = std::optional<db::IterationRecord>;

// An iteration that is not decided yet.
struct BegunIteration {
  db::IterationDraft draft;  // has what past deletions mean already: what is withdrawn or does not hold
  engine::Past past;
};

// Begins one of that kind ("logs" or "sweep"): brings the texts of the bank up to date, and compares
// past deletions with it. Fails as check_complete() does.
Result<BegunIteration> begin_iteration(const std::string& kind, const IterationContext& context);

// Fails on a bank with no questions, or a part of them: lists would be consumed for nothing, and deletions
// withdrawn whose questions are yet to come.
Status check_complete(db::Bank& bank);

// Decides what happens to the draft's deletions without people, counts them, and commits. Too many of them
// wait for people, whatever the policy is.
Result<StoredIteration> commit_draft(db::IterationDraft draft, const IterationContext& context);

// Commits only that pairs no longer hold, where there is nothing else.
Status commit_stale_pairs(const db::IterationDraft& draft, db::StoreWriter& writing);

}  // namespace qdedup::iteration
