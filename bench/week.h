#pragma once

#include <cstdint>
#include <string>

#include "bench/layout.h"
#include "bench/packed_file.h"

namespace qdedup::bench {

struct WeekOptions {
  std::string folder;
  std::uint64_t questions = 100'000;
  std::uint64_t lines = 70'000;
  std::uint64_t logs = 7;
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: as many as there are cores
  Packing packing = Packing::plain;
  Shape shape = Shape::usual;
  bool logs_only = false;  // neither bank nor planted duplicates
};

// Writes a bank, a week of logs over it, and which duplicates were planted, into the folder:
//
//   bank.jsonl     {"id":1000000003,"text":"…"} a line
//   search-N.log   a result list a line: [[1380777178,0.306],[1589879284,0.303]]
//   planted.tsv    id, and the smallest id of its duplicates, of each question that has a smaller one
//
// bank and logs with .gz or .zst behind where they are packed. The same options but `threads` give the same
// bytes. Linear; memory is bounded. Stops the program where a file cannot be written.
void make_week(const WeekOptions& options);

}  // namespace qdedup::bench
