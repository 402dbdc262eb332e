#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "miner/line_parser.h"
#include "miner/result_list.h"

namespace qdedup::reference {

// What a log line comes to: pairs or a rejection. Here bad_json stands for every way of not being one JSON
// value: nul_byte, bad_utf8 and trailing_data too.
struct LineReading {
  std::optional<miner::Rejection> rejection;
  std::vector<miner::ScoredId> pairs;
};

// The slow twin of miner::LineParser: nlohmann's parser does the work. The pointers must be valid.
LineReading read_line(const miner::LineShape& shape, std::string_view line);

// A rejection as LineReading tells it.
std::optional<miner::Rejection> coarse(std::optional<miner::Rejection> rejection);

}  // namespace qdedup::reference
