#include "tests/reference/block_cutting.h"

#include <algorithm>

#include <xxhash.h>

namespace qdedup::reference {
namespace {

std::uint64_t hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

Cut cut_lines(std::string_view log, std::size_t from, std::size_t to, std::size_t max_line_bytes) {
  Cut cut;
  cut.begin_offset = to;
  while (from < to) {
    const std::size_t newline = log.find('\n', from);
    std::string_view line = log.substr(from, newline - from);
    if (line.size() > max_line_bytes) {
      const std::size_t run = std::min(line.find_first_not_of('\0'), line.size());
      cut.nul_bytes += run;
      line.remove_prefix(run);
    }
    if (line.size() > max_line_bytes) {
      ++cut.too_long_lines;
    } else {
      cut.begin_offset = std::min<std::uint64_t>(cut.begin_offset, newline - line.size());
      cut.lines += line;
      cut.lines += '\n';
    }
    from = newline + 1;
  }
  return cut;
}

std::size_t end_of_lines(std::string_view log) {
  const std::size_t newline = log.rfind('\n');
  return newline == std::string_view::npos ? 0 : newline + 1;
}

logs::LogMark mark_at(std::string_view log, std::size_t offset) {
  if (offset == 0) return {};
  const std::string_view before = log.substr(0, offset);
  const std::size_t window = std::min(offset, std::size_t{1024});
  return {offset, hash_of(before.substr(0, window)), hash_of(before.substr(before.size() - window))};
}

std::string problem_of(const logs::LineBlock& block, std::string_view log, std::size_t from,
                       std::size_t max_line_bytes) {
  if (block.end.offset <= from || block.end.offset > log.size()) return "the end is out of place";
  const auto to = static_cast<std::size_t>(block.end.offset);
  const Cut expected = cut_lines(log, from, to, max_line_bytes);
  if (log[to - 1] != '\n') return "the end is in the middle of a line";
  if (block.lines != expected.lines) return "other lines";
  if (block.begin.offset != expected.begin_offset) return "the lines begin elsewhere";
  if (block.begin.offset + block.lines.size() != to) return "bytes were dropped among the lines";
  if (block.too_long_lines != expected.too_long_lines) return "other count of lines that are too long";
  if (block.nul_bytes != expected.nul_bytes) return "other count of NUL bytes";
  if (block.end != mark_at(log, to)) return "another mark";
  return {};
}

}  // namespace qdedup::reference
