#pragma once

#include <ostream>
#include <vector>

#include "base/json.h"
#include "db/evidence.h"

namespace qdedup::cli {

// A histogram of the scores in logs, to choose thresholds by.
void print_scores(std::ostream& out, const std::vector<db::ScoreCount>& scores);
Json scores_json(const std::vector<db::ScoreCount>& scores);

}  // namespace qdedup::cli
