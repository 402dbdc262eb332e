#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "db/deletions.h"

namespace qdedup::page {

// The parameters of a request, decoded, in order.
using Parameters = std::vector<std::pair<std::string, std::string>>;

// What of the deletions the page shows: status (default pending), iteration, confidence, reason,
// similarity=LOW-HIGH in whole percent, question (an id). Other parameters are passed over. ErrorCode::usage
// for a value that is not valid.
Result<db::DeletionFilter> filter_of(const Parameters& parameters);

// Behind which deletion the page begins: after=KEEPER-QUESTION.
Result<db::QueuePlace> place_of(const Parameters& parameters);

// A parameter that is a whole number from `least` to `most`; `otherwise` where it is not there.
Result<std::int64_t> number_of(const Parameters& parameters, std::string_view name, std::int64_t least,
                               std::int64_t most, std::int64_t otherwise);

}  // namespace qdedup::page
