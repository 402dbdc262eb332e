#pragma once

#include "page/answer.h"
#include "page/query.h"
#include "page/reading.h"

namespace qdedup::page {

// GET /api/review/queue?after=…&limit=…: the deletions that pass the filter, by keeper:
// {"groups":[{"keeper":{…},"members":[{…}]}],"next":"KEEPER-QUESTION" or null}. A group that does not fit
// goes on in the next page. `limit` (1 to 200, 40) counts members.
Answer queue_answer(Reading& reading, const Parameters& parameters);

// GET /api/review/facets: {"total":N,"iteration":[[value,count],…],"confidence":…,"reason":…,"subject":…,
// "similarity":…}; reasons and subjects the most frequent first, at most 40 of each.
Answer facets_answer(Reading& reading, const Parameters& parameters);

}  // namespace qdedup::page
