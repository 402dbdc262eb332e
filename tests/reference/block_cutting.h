#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logs/line_cutter.h"

namespace qdedup::reference {

// What the whole content of a log between two offsets should come to, found by looking at one line after the
// other.
struct Cut {
  std::string lines;
  std::uint64_t begin_offset = 0;  // of the first line that was kept; else `to`
  std::uint64_t too_long_lines = 0;
  std::uint64_t nul_bytes = 0;
};

// `from` is the end of a line (or 0), `to` the end of a line.
Cut cut_lines(std::string_view log, std::size_t from, std::size_t to, std::size_t max_line_bytes);

// The end of the last complete line.
std::size_t end_of_lines(std::string_view log);

// By the definition of LogMark.
logs::LogMark mark_at(std::string_view log, std::size_t offset);

// Is this block what stands in the log from `from` on? Empty if so, else what is wrong.
std::string problem_of(const logs::LineBlock& block, std::string_view log, std::size_t from,
                       std::size_t max_line_bytes);

}  // namespace qdedup::reference
