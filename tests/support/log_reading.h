#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "logs/files.h"
#include "logs/log_file.h"

namespace qdedup::logs {

// The longest line of the logs in these tests.
inline constexpr std::size_t limit = 1000;

inline std::shared_ptr<const RegularFile> open_file(const std::string& path) {
  auto file = Files().open(path);
  if (!file.ok()) throw std::runtime_error(file.error().message);
  return *std::move(file);
}

inline LogFile open_log(const std::string& path, std::size_t max_line_bytes = limit) {
  auto log = LogFile::open(open_file(path), max_line_bytes);
  if (!log.ok()) throw std::runtime_error(log.error().message);
  return std::move(log).value();
}

struct ReadLog {
  std::vector<LineBlock> blocks;
  std::optional<Error> error;
};

// Reads all that is there now.
inline ReadLog read_on(LogFile& log, std::size_t block_bytes = 4096) {
  ReadLog read;
  while (true) {
    auto block = log.next_block(block_bytes);
    if (!block.ok()) {
      read.error = std::move(block).error();
      return read;
    }
    if (!block->has_value()) return read;
    if ((*block)->lines.empty() && (*block)->too_long_lines == 0) continue;
    read.blocks.push_back(**std::move(block));
  }
}

inline std::string lines_of(const ReadLog& read) {
  std::string lines;
  for (const LineBlock& block : read.blocks) lines += block.lines;
  return lines;
}

inline std::string numbered_lines(std::size_t first, std::size_t last) {
  std::string lines;
  for (std::size_t i = first; i <= last; ++i) lines += "this is line " + std::to_string(i) + "\n";
  return lines;
}

}  // namespace qdedup::logs
