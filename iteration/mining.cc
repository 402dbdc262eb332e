#include "iteration/mining.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "iteration/log_matching.h"
#include "iteration/log_mining.h"
#include "iteration/mining_store.h"
#include "miner/line_parser.h"

namespace qdedup::iteration {
namespace {

std::uint64_t size_of(const std::vector<std::string>& paths, const logs::Files& files) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    if (const auto signature = files.signature(path)) total += signature->size;
  }
  return total;
}

void put_in_order_of(const std::vector<std::string>& paths, std::vector<MinedLog>& logs) {
  std::map<std::string_view, std::size_t> places;
  for (const std::string& path : paths) places.try_emplace(path, places.size());
  std::ranges::stable_sort(logs, {}, [&](const MinedLog& log) { return places.at(log.path); });
}

// Reads to the end of what is there.
Status mine_to_end(LogMatcher::Match match, const MiningMeans& means, LogMatcher& matcher, MinedLog& mined,
                   const std::function<void(std::uint64_t)>& read_so_far) {
  mined.possible_loss = match.record.id == 0 && match.record.possible_loss;
  LogMining mining(std::move(match), means);
  for (bool more = true; more;) {
    Result<LogMining::Stretch> stretch =
        mining.mine(LogMining::Bounds(), [&] { read_so_far(mining.file().bytes_read()); });
    if (!stretch.ok()) return std::move(stretch).error();
    mined.totals += stretch->totals;
    mined.possible_loss = mined.possible_loss || stretch->cut;
    mined.problem = std::move(stretch->problem);
    more = !stretch->at_end && !stretch->cut && !mined.problem;
  }
  mined.cut_off = mining.file().cut_off();
  if (mining.record().id != 0) matcher.update(mining.record());
  return {};
}

// Of a log that was cut, and holds nothing yet.
Status store_loss(LogMatcher::Match match, const MiningMeans& means, LogMatcher& matcher, MinedLog& mined) {
  mined.possible_loss = true;
  LogMining mining(std::move(match), means);
  const Result<LogMining::Stretch> nothing = mining.mine({.bytes = 0}, [] {});
  if (!nothing.ok()) return nothing.error();
  matcher.update(mining.record());
  return {};
}

// Mines one log after the other.
class Run {
 public:
  Run(LogMatcher& matcher, const MiningMeans& means, const logs::Files& files, const Progress& progress,
      std::uint64_t total_bytes)
      : matcher_(matcher), means_(means), files_(files), progress_(progress), total_bytes_(total_bytes) {}

  Result<MinedLog> mine(const std::string& path) {
    MinedLog mined;
    mined.path = path;
    const Result<LogMatcher::File> file = files_.open(path);
    if (!file.ok()) {
      mined.problem = file.error();
      return mined;
    }
    Result<LogMatcher::Match> match = matcher_.match(*file, path);
    if (!match.ok()) {
      mined.problem = match.error();
    } else {
      QDEDUP_TRY(use(*std::move(match), mined));
    }
    done_bytes_ += (*file)->size();
    return mined;
  }

 private:
  Status use(LogMatcher::Match match, MinedLog& mined) {
    mined.copy = match.use == LogMatcher::Use::copy;
    mined.waits = match.use == LogMatcher::Use::wait;
    const bool is_cut = match.use == LogMatcher::Use::empty && match.record.possible_loss;
    if (is_cut && match.record.id == 0) return store_loss(std::move(match), means_, matcher_, mined);
    if (match.use != LogMatcher::Use::mine) return {};
    return mine_to_end(std::move(match), means_, matcher_, mined, [&](std::uint64_t bytes) {
      progress_("mine", done_bytes_ + bytes, total_bytes_, "bytes");
    });
  }

  LogMatcher& matcher_;
  const MiningMeans& means_;
  const logs::Files& files_;
  const Progress& progress_;
  std::uint64_t total_bytes_;
  std::uint64_t done_bytes_ = 0;
};

}  // namespace

Result<MiningReport> mine_logs(db::StoreWriter& writer, const std::vector<std::string>& paths,
                               const logs::Files& files, const config::Settings& settings, const Clock& clock,
                               const Progress& progress) {
  const Result<miner::LineParser> parser =
      miner::LineParser::create(settings.logs.format, settings.logs.pointer);
  if (!parser.ok()) return parser.error();
  const MiningStore store = mining_store(writer);
  Result<std::vector<db::LogRecord>> known = store.logs();
  if (!known.ok()) return std::move(known).error();
  LogMatcher matcher(files, *std::move(known), settings.logs.max_line_bytes);
  matcher.look_at(paths);

  const MiningMeans means{*parser, settings, store, clock};
  Run run(matcher, means, files, progress, size_of(paths, files));
  MiningReport report;
  for (const std::string& path : matcher.in_order(paths)) {
    Result<MinedLog> mined = run.mine(path);
    if (!mined.ok()) return std::move(mined).error();
    report.totals += mined->totals;
    report.logs.push_back(*std::move(mined));
  }
  put_in_order_of(paths, report.logs);
  return report;
}

}  // namespace qdedup::iteration
