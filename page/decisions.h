#pragma once

#include <cstdint>
#include <string_view>

#include "db/connection.h"
#include "db/decisions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "page/request.h"

namespace qdedup::page {

// POST /api/review/decisions with
//   {"decisions":[{"iteration":3,"question":"9","keeper":"2","decision":"approve","seen":"pending","note":""}]}
// where `seen` is the status that the reviewer saw; at most 500, of different deletions. Each is taken or
// refused by itself: {"results":[{"code":200,"status":"approved"}, …]}. A deletion that has changed
// has code 409, its status, keeper, decided_by, given_name and decided_at, and `reason` in words; one that is
// not known 404. What the same person decided so already is 200: a page that did not get the answer sends the
// decision again.
//
// To be called by the one that changes deletions, and by nobody else meanwhile.
Answer take_decisions(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                      const db::Decider& decider);

// GET /api/review/batch: how many pending deletions pass the filter, and a random sample of them:
// {"count":N,"seen":"…","sample":[{"keeper":{…},"question":{…}}]}, at most `sample_size`=1…50 (12). `seen`
// stands for exactly these deletions (a hash of their ids). Nothing changes.
Answer preview_batch(Reading& reading, const Parameters& parameters, std::uint64_t seed);

// POST /api/review/batch with {"filter":{"confidence":"safe",…},"count":N,"seen":"…","note":""}: approves all
// pending deletions that pass the filter, if they are still those of the look with this count and `seen`:
// {"approved":N,"refused":{"reason":count}}. Otherwise 409 with {"error":…,"count":now}, and nothing is
// changed.
//
// To be called by the one that changes deletions, and by nobody else meanwhile. `on_activity` is told of what
// is read, as it may take a minute.
Answer approve_batch(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                     const db::Decider& decider, const db::OnActivity& on_activity);

}  // namespace qdedup::page
