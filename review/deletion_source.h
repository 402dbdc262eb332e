#pragma once

#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/character_counts.h"
#include "review/deletion_list.h"

namespace qdedup::review {

// The deletions of `store` that pass `filter`, with the texts of `bank` at this moment. With `characters` (of
// the bank) the contrast of each pair is found as well. All must outlive the stream.
Result<DeletionStream> stream_deletions(db::Store& store, db::Bank& bank, const db::DeletionFilter& filter,
                                        const refine::CharacterCounts* characters = nullptr);

}  // namespace qdedup::review
