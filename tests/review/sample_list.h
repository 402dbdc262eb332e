#pragma once

#include <functional>
#include <string>
#include <vector>

#include "review/deletion_list.h"

namespace qdedup::review {

// A safe, pending deletion of question `delete_id` in favour of question 1, 1 of 5 characters apart.
DeletionEntry sample_entry(QuestionId delete_id);

// The same with these texts.
DeletionEntry sample_pair(QuestionId delete_id, std::string keep_text, std::string delete_text);

// A stream of `entries`, which it copies.
DeletionStream stream_of(std::vector<DeletionEntry> entries);

// A new stream of `entries` at each call.
std::function<DeletionStream()> streams_of(std::vector<DeletionEntry> entries);

// A stream that hands out one entry and then fails with ErrorCode::internal, "bank: broken".
DeletionStream broken_stream();

}  // namespace qdedup::review
