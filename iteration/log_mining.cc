#include "iteration/log_mining.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "base/parallel.h"
#include "logs/log_mark.h"
#include "miner/evidence_chunk.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20U;
constexpr unsigned max_blocks = 32;  // in memory at the same time

std::string_view first_lines(std::string_view lines) {
  constexpr std::size_t some_bytes = std::size_t{1} << 16U;
  return lines.substr(0, lines.substr(0, some_bytes).rfind('\n') + 1);
}

// Whether the lines of `block` hold NUL bytes, other than at the beginning of the log.
bool has_gap(const logs::LineBlock& block) {
  const bool is_first = block.begin.offset == block.nul_bytes;
  const std::size_t begin = is_first ? block.lines.find_first_not_of('\0') : 0;
  return begin != std::string::npos && block.lines.find('\0', begin) != std::string::npos;
}

std::vector<db::ScoreCount> scores_of(const miner::ScoreHistogram& histogram) {
  std::vector<db::ScoreCount> scores;
  for (std::size_t bucket = 0; bucket < miner::ScoreHistogram::buckets; ++bucket) {
    const miner::ScoreHistogram::Counts& counts = histogram[bucket];
    if (counts.lists + counts.pairs > 0) scores.push_back({bucket, counts.lists, counts.pairs});
  }
  return scores;
}

}  // namespace

// What was mined from blocks and not committed yet.
struct LogMining::Gathered {
  miner::SeedLists lists;
  miner::LineCounts counts;
  std::optional<logs::LogMark> end;
  std::vector<db::LogMarkRecord> marks;
  std::deque<std::string> last_lines;  // of the last few marks
  std::size_t last_bytes = 0;          // of these lines
  bool has_gap = false;

  void add(logs::LineBlock block, const Gathered& part) {
    lists.append(part.lists);
    counts += part.counts;
    counts.lines += block.too_long_lines;
    counts.rejected[static_cast<std::size_t>(miner::Rejection::too_long)] += block.too_long_lines;
    counts.nul_bytes += block.nul_bytes;
    end = block.end;
    has_gap = has_gap || block.has_gap || part.has_gap;
    if (block.lines.empty()) return;
    marks.push_back({block.begin.offset, block.end.offset, block.begin.tail_hash, {}});
    if (block.begin.offset == 0) marks.back().line_hashes = logs::line_hashes(first_lines(block.lines));
    last_bytes += block.lines.size();
    last_lines.push_back(std::move(block.lines));
    while (last_bytes - last_lines.front().size() >= db::hashed_log_bytes) {
      last_bytes -= last_lines.front().size();
      last_lines.pop_front();
    }
  }

  std::vector<db::LogMarkRecord> take_marks() {
    auto mark = marks.end() - static_cast<std::ptrdiff_t>(last_lines.size());
    for (const std::string& lines : last_lines) (mark++)->line_hashes = logs::line_hashes(lines);
    return std::move(marks);
  }
};

LogMining::LogMining(LogMatcher::Match match, const MiningContext& context)
    : match_(std::move(match)),
      context_(context),
      threads_(thread_count(context.settings.resources.threads)),
      record_changed_(match_.moved || match_.record.id == 0),
      bytes_counted_(match_.file.compression() == logs::Compression::none ? match_.file.offset() : 0) {}

Result<LogMining::Stretch> LogMining::mine(const Bounds& bounds, const std::function<void()>& block_done) {
  Stretch stretch;
  Gathered gathered;
  const auto still_there = [&] {
    const Result<bool> intact = match_.file.intact();
    if (!intact.ok()) stretch.problem = intact.error();
    stretch.cut = intact.ok() && !*intact;
    return intact.ok() && *intact;
  };
  if (!still_there()) return stretch;
  const Result<bool> more = gather(bounds, gathered, block_done);
  if (!more.ok()) stretch.problem = more.error();
  stretch.at_end = more.ok() && !*more;
  if (!still_there()) return stretch;  // otherwise what was just read may be anything
  stretch.bytes = match_.file.bytes_read() - std::exchange(bytes_counted_, match_.file.bytes_read());
  // A compressed file that was mined to its end is recognised by size and time from now on.
  note_file((stretch.at_end ? match_.file.complete() : std::nullopt).value_or(logs::FileSignature()));
  QDEDUP_TRY(commit(gathered, stretch));
  return stretch;
}

Status LogMining::take_over() {
  note_file(match_.file.begun());
  Gathered nothing;
  Stretch stretch;
  return commit(nothing, stretch);
}

// Returns whether there is more. Reads the next blocks while some are being mined, because unpacking keeps
// one thread busy.
Result<bool> LogMining::gather(const Bounds& bounds, Gathered& gathered,
                               const std::function<void()>& block_done) {
  const std::uint64_t end = match_.file.offset() + bounds.bytes;
  const auto is_within = [&] { return match_.file.offset() < end && gathered.counts.lines < bounds.lines; };
  std::vector<logs::LineBlock> next;
  Result<bool> more = is_within() ? read_blocks(end, next) : true;
  while (!next.empty()) {
    std::vector<logs::LineBlock> blocks = std::exchange(next, {});
    const bool read_on = more.ok() && *more && is_within();
    mine_blocks(blocks, gathered, [&] {
      if (read_on) more = read_blocks(end, next);
    });
    block_done();
  }
  return more;
}

// Reads a few blocks, none of which begins after `end`; false at the end of the log.
Result<bool> LogMining::read_blocks(std::uint64_t end, std::vector<logs::LineBlock>& blocks) {
  const std::size_t most = std::min(2 * threads_, max_blocks);
  while (blocks.size() < most && match_.file.offset() < end) {
    const std::uint64_t left = end - match_.file.offset();
    Result<std::optional<logs::LineBlock>> block =
        match_.file.next_block(static_cast<std::size_t>(std::min<std::uint64_t>(left, block_bytes)));
    if (!block.ok()) return std::move(block).error();
    if (!block->has_value()) return false;
    blocks.push_back(**std::move(block));
  }
  return true;
}

// Runs `meanwhile` on one of the threads.
void LogMining::mine_blocks(std::span<logs::LineBlock> blocks, Gathered& gathered,
                            const std::function<void()>& meanwhile) {
  std::vector<Gathered> parts(blocks.size());
  parallel_for(1 + blocks.size(), threads_, [&](std::size_t i) {
    if (i == 0) return meanwhile();
    miner::mine_block(blocks[i - 1].lines, context_.parser, context_.settings.selection, parts[i - 1].lists,
                      parts[i - 1].counts);
    // A line that is taken as a list, and nothing but one, holds no NUL byte.
    const miner::LineCounts& counts = parts[i - 1].counts;
    const bool lists_alone = context_.settings.logs.shape.format != miner::LineFormat::embedded &&
                             counts.nul_bytes == 0 && counts.lines == counts.selected + counts.unselected;
    parts[i - 1].has_gap = !lists_alone && iteration::has_gap(blocks[i - 1]);
  });
  for (std::size_t i = 0; i < blocks.size(); ++i) gathered.add(std::move(blocks[i]), parts[i]);
}

void LogMining::note_file(const logs::FileSignature& file) {
  db::LogRecord& record = match_.record;
  if (record.file_size == file.size && record.file_modified_ns == file.modified_ns) return;
  record.file_size = file.size;
  record.file_modified_ns = file.modified_ns;
  record_changed_ = true;
}

Status LogMining::commit(Gathered& gathered, Stretch& stretch) {
  db::LogRecord& record = match_.record;
  db::MinedStretch mined;
  mined.begin_offset = record.offset;
  if (gathered.end && gathered.end->offset != record.offset) {
    record.offset = gathered.end->offset;
    record.head_hash = gathered.end->head_hash;
    record.tail_hash = gathered.end->tail_hash;
    record_changed_ = true;
  }
  stretch.first_gap = gathered.has_gap && !record.possible_loss;
  record.possible_loss = record.possible_loss || gathered.has_gap;
  if (!record_changed_) return {};
  mined.totals = gathered.counts.totals();
  mined.scores = scores_of(gathered.counts.scores);
  mined.min_top_score = context_.settings.selection.min_top_score;
  mined.min_score = context_.settings.selection.min_score;
  mined.lists = miner::encode_evidence(gathered.lists);
  mined.join = miner::join_evidence;
  mined.marks = gathered.take_marks();
  const bool has_first_line = !mined.marks.empty() && mined.marks.front().begin_offset == 0 &&
                              !mined.marks.front().line_hashes.empty();
  if (has_first_line) record.first_line = logs::first_line_hash(mined.marks.front().line_hashes);
  mined.log = record;
  QDEDUP_ASSIGN_OR_RETURN(record.id, context_.writer.write([&](db::Store& store) {
    return db::Evidence(store).append(mined, timestamp(context_.clock.now()));
  }));
  record_changed_ = false;
  record.totals += mined.totals;
  stretch.counts = std::move(gathered.counts);
  return {};
}

void LogMining::rename(const std::string& path) {
  record_changed_ = record_changed_ || match_.record.path != path;
  match_.record.path = path;
}

}  // namespace qdedup::iteration
