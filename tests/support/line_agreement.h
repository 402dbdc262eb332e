#pragma once

#include <string>
#include <string_view>

#include "miner/line_parser.h"

namespace qdedup::support {

// Reads `line` with miner::LineParser and with its slow twin: says how they disagree, or nothing.
std::string disagreement_on_line(const miner::LineShape& shape, std::string_view line);

}  // namespace qdedup::support
