#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/result.h"
#include "db/arrivals.h"
#include "db/bank.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// Brings what arrived (db/arrivals.h) up to date with the bank: after any change of the bank, and before what
// arrived is used. New questions that were about to enter the bank when the program ended enter it now. Does
// nothing while the bank is empty, incomplete, or of other rules. Nobody else may change either meanwhile.
// Where texts are extracted in another way now, pairs stay that still pass the test with these settings.
Status follow_bank(db::Store& reading, db::StoreWriter& writing, db::Bank& bank,
                   const refine::DuplicateSettings& settings, const Clock& clock);

// What arrived before it has been there for more than so many days.
std::chrono::sys_seconds expiry_moment(const Clock& clock, std::uint64_t days);

// Takes out what arrived before `moment`: of the classes, and of the bank as an import that removes it does
// (db::Arrivals::expire says what stays). What it has not come to is left for the next time. With `dry_run`
// it only looks. ErrorCode::data while an interrupted import has yet to be run again.
Result<db::Expired> expire(db::Store& reading, db::StoreWriter& writing, db::Bank& bank,
                           const refine::DuplicateSettings& settings, const Clock& clock,
                           std::chrono::sys_seconds moment, bool dry_run);

}  // namespace qdedup::iteration
