#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/store_writer.h"

namespace qdedup::iteration {

// An iteration of that kind ("logs" or "sweep") that begins now.
db::IterationDraft begin_draft(const std::string& kind, const config::Settings& settings, const Clock& clock);

// Fails on a bank with no questions, or a part of them: lists would be consumed for nothing, and deletions
// withdrawn whose questions are yet to come.
Status check_complete(db::Bank& bank);

// Decides what happens to the draft's deletions without people. Too many wait for people, whatever the policy
// is.
Status apply_policy(const config::ReviewSettings& settings, db::Bank& bank, db::IterationDraft& draft);

// Applies the policy and commits; answers the iteration as it was stored.
Result<std::optional<db::IterationRecord>> commit_draft(db::IterationDraft draft, db::StoreWriter& writing,
                                                        db::Bank& bank, const config::Settings& settings,
                                                        const Clock& clock);

// Commits only that pairs hold no longer, where there is nothing else.
Status commit_lost_pairs(const db::IterationDraft& draft, db::StoreWriter& writing);

// As commit_draft, but where the draft lists and withdraws nothing, no iteration is stored, and the answer is
// nothing.
Result<std::optional<db::IterationRecord>> commit_sweep(db::IterationDraft draft, db::StoreWriter& writing,
                                                        db::Bank& bank, const config::Settings& settings,
                                                        const Clock& clock);

}  // namespace qdedup::iteration
