#pragma once

#include <ostream>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "db/evidence.h"

namespace qdedup::cli {

// How often which scores were seen, for choosing thresholds: how many searches had their best result there,
// how many of all would be selected from there on, and how many results (of a sample) scored so. At most some
// fifty rows: neighbouring buckets are taken together where there are more.
void print_scores(std::ostream& out, const std::vector<db::ScoreCount>& scores);

// Each bucket by its least score.
nlohmann::ordered_json scores_json(const std::vector<db::ScoreCount>& scores);

}  // namespace qdedup::cli
