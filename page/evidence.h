#pragma once

#include "page/answer.h"
#include "page/query.h"
#include "page/reading.h"

namespace qdedup::page {

// GET /api/review/evidence?question=…&keeper=…: in how many result lists the two stood together, as far as
// lists are still kept, and at most the newest 16 MiB of them: {"lists":N,"best":0.93 or null,"looked":M}.
// `best` is the best score at the head of such a list, `looked` the number of lists looked at.
Answer evidence_answer(Reading& reading, const Parameters& parameters);

}  // namespace qdedup::page
