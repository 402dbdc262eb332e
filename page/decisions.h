#pragma once

#include <string_view>

#include "db/decisions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "page/answer.h"

namespace qdedup::page {

// POST /api/review/decisions with
//   {"decisions":[{"iteration":3,"question":"9","keeper":"2","decision":"approve","seen":"pending","note":""}]}
// where `seen` is the status that the reviewer saw; at most 500, of different deletions. Each is taken or
// refused by itself: {"results":[{"code":200,"status":"approved"}, …]}. A deletion that is otherwise by now
// has code 409, its status, keeper, decided_by and decided_at, and `reason` in words; one that is not known
// 404. What the same person decided so already is 200: a page that did not get the answer sends the decision
// again.
//
// To be called by the one that changes deletions, and by nobody else meanwhile.
Answer take_decisions(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                      const db::Decider& decider);

}  // namespace qdedup::page
