#include "iteration/mining.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "iteration/log_matching.h"
#include "iteration/parallel.h"
#include "miner/evidence_chunk.h"
#include "miner/line_parser.h"
#include "miner/log_block.h"
#include "miner/seed_lists.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20U;
constexpr unsigned most_blocks = 32;                           // in memory at once
constexpr std::size_t stretch_bytes = std::size_t{32} << 20U;  // of log, committed at once

db::LineTotals totals_of(const miner::LineCounts& counts) {
  db::LineTotals totals;
  totals.lines = counts.lines;
  totals.selected = counts.selected;
  totals.unselected = counts.unselected;
  for (std::size_t i = 0; i < miner::rejection_count; ++i) {
    if (counts.rejected[i] == 0) continue;
    totals.rejected[std::string(name(static_cast<miner::Rejection>(i)))] = counts.rejected[i];
  }
  totals.nul_bytes = counts.nul_bytes;
  return totals;
}

// A stretch of a log, block by block, until it is committed.
struct Stretch {
  miner::SeedLists lists;
  miner::LineCounts counts;
  std::size_t bytes = 0;
};

// Mines one log into the store.
class LogMiner {
 public:
  LogMiner(db::StoreWriter& writer, LogMatcher::Match& match, const miner::LineParser& parser,
           const config::Settings& settings, const Clock& clock)
      : writer_(writer),
        match_(match),
        parser_(parser),
        selection_(settings.selection),
        threads_(thread_count(settings.resources.threads)),
        clock_(clock) {}

  // Reads to the end of what is there. Trouble with the log goes to `mined`, trouble with the store is
  // returned.
  Status mine(MinedLog& mined, const std::function<void()>& block_done) {
    for (bool more = true; more;) {
      const Result<bool> read = read_blocks();
      more = read.ok() && *read;
      if (!read.ok()) mined.problem = read.error();
      mine_blocks();
      if (!more || stretch_.bytes >= stretch_bytes) QDEDUP_TRY(commit(mined));
      block_done();
    }
    mined.cut_off = match_.file.cut_off();
    return {};
  }

 private:
  // Fills blocks_ with a few blocks; false at the end of the log.
  Result<bool> read_blocks() {
    blocks_.clear();
    for (unsigned i = 0; i < std::min(2 * threads_, most_blocks); ++i) {
      Result<std::optional<logs::LineBlock>> block = match_.file.next_block(block_bytes);
      if (!block.ok()) return std::move(block).error();
      if (!block->has_value()) return false;
      blocks_.push_back(**std::move(block));
    }
    return true;
  }

  void mine_blocks() {
    std::vector<Stretch> parts(blocks_.size());
    parallel_for(blocks_.size(), threads_, [&](std::size_t i) {
      miner::mine_block(blocks_[i].lines, parser_, selection_, parts[i].lists, parts[i].counts);
    });
    for (std::size_t i = 0; i < blocks_.size(); ++i) append(blocks_[i], parts[i]);
  }

  void append(const logs::LineBlock& block, const Stretch& part) {
    for (std::size_t list = 0; list < part.lists.size(); ++list) {
      stretch_.lists.append(part.lists.top_score(list), part.lists.ids(list));
    }
    stretch_.counts += part.counts;
    stretch_.counts.lines += block.too_long_lines;
    stretch_.counts.rejected[static_cast<std::size_t>(miner::Rejection::too_long)] += block.too_long_lines;
    stretch_.counts.nul_bytes += block.nul_bytes;
    stretch_.bytes += block.lines.size();
    end_ = block.end;
  }

  Status commit(MinedLog& mined) {
    db::MinedStretch stretch;
    stretch.begin_offset = match_.record.offset;
    if (end_) {
      match_.record.offset = end_->offset;
      match_.record.head_hash = end_->head_hash;
      match_.record.tail_hash = end_->tail_hash;
    }
    stretch.log = match_.record;
    stretch.totals = totals_of(stretch_.counts);
    stretch.min_top_score = selection_.min_top_score;
    stretch.min_score = selection_.min_score;
    stretch.lists = miner::encode_evidence(stretch_.lists);
    const Result<std::int64_t> id = writer_.write(
        [&](db::Store& store) { return db::Evidence(store).append(stretch, timestamp(clock_.now())); });
    if (!id.ok()) return id.error();
    match_.record.id = *id;
    mined.totals += stretch.totals;
    stretch_ = {};
    return {};
  }

  db::StoreWriter& writer_;
  LogMatcher::Match& match_;
  const miner::LineParser& parser_;
  const miner::SelectionSettings& selection_;
  unsigned threads_;
  const Clock& clock_;
  std::vector<logs::LineBlock> blocks_;
  Stretch stretch_;
  std::optional<logs::LogMark> end_;
};

std::uint64_t size_of(const std::vector<std::string>& paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    std::error_code failure;
    const std::uint64_t size = std::filesystem::file_size(path, failure);
    if (!failure) total += size;
  }
  return total;
}

}  // namespace

Result<MiningReport> mine_logs(db::StoreWriter& writer, const std::vector<std::string>& paths,
                               const config::Settings& settings, const Clock& clock,
                               const Progress& progress) {
  const Result<miner::LineParser> parser =
      miner::LineParser::create(settings.logs.format, settings.logs.pointer);
  if (!parser.ok()) return parser.error();
  Result<std::vector<db::LogRecord>> known =
      writer.write([](db::Store& store) { return db::Evidence(store).logs(); });
  if (!known.ok()) return std::move(known).error();
  LogMatcher matcher(*std::move(known), paths);

  const std::uint64_t total = size_of(paths);
  std::uint64_t done = 0;
  MiningReport report;
  for (const std::string& path : matcher.in_order(paths)) {
    MinedLog mined;
    mined.path = path;
    Result<LogMatcher::Match> match = matcher.match(path, settings.logs.max_line_bytes);
    if (!match.ok()) {
      mined.problem = match.error();
    } else if (match->use == LogMatcher::Use::copy) {
      mined.copy = true;
    } else if (match->use == LogMatcher::Use::wait) {
      mined.waits = true;
    } else {
      mined.possible_loss = match->record.id == 0 && match->record.possible_loss;
      LogMiner miner(writer, *match, *parser, settings, clock);
      QDEDUP_TRY(
          miner.mine(mined, [&] { progress("mine", done + match->file.bytes_read(), total, "bytes"); }));
      matcher.update(match->record);
    }
    if (match.ok()) done += match->file.file_size();
    report.totals += mined.totals;
    report.logs.push_back(std::move(mined));
  }
  return report;
}

}  // namespace qdedup::iteration
