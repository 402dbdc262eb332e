#pragma once

#include <functional>

#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "review/deletion_list.h"

namespace qdedup::review {

// The deletions of `store` that pass `filter`, with the texts of `bank` at this moment. Both must outlive the
// stream.
Result<DeletionStream> stream_deletions(db::Store& store, db::Bank& bank, const db::DeletionFilter& filter);

}  // namespace qdedup::review
