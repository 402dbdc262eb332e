#include "iteration/mining.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
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

// A log that was cut does not wait: its loss is noted before a copy of what it held takes its record over.
bool is_newcomer(const LogMatcher::Match& match) { return match.is_new() && !match.cut; }

// Copies may be shorter than their originals, and are written later, or at least born later.
std::vector<std::string> originals_first(std::vector<std::string> paths, const logs::Files& files) {
  std::multimap<std::tuple<std::uint64_t, std::int64_t, std::int64_t>, std::string> ordered;
  for (std::string& path : paths) {
    const auto file = files.signature(path).value_or(logs::FileSignature());
    ordered.emplace(std::tuple(~file.size, file.modified_ns, file.born_ns), std::move(path));
  }
  paths.clear();
  for (auto& [key, path] : ordered) paths.push_back(std::move(path));
  return paths;
}

enum class Newcomers { wait, begin };

// Mines one log after the other.
class Run {
 public:
  Run(LogMatcher& matcher, const MiningMeans& means, const logs::Files& files, const Progress& progress,
      std::uint64_t total_bytes)
      : matcher_(matcher), means_(means), files_(files), progress_(progress), total_bytes_(total_bytes) {}

  // Answers the paths of the newcomers that are to wait.
  Result<std::vector<std::string>> mine(const std::vector<std::string>& paths, Newcomers newcomers) {
    std::vector<std::string> waiting;
    for (const std::string& path : paths) {
      Result<std::optional<MinedLog>> mined = mine(path, newcomers);
      if (!mined.ok()) return std::move(mined).error();
      if (*mined) {
        logs_.push_back(**std::move(mined));
      } else {
        waiting.push_back(path);
      }
    }
    return waiting;
  }

  [[nodiscard]] std::vector<MinedLog> take() { return std::move(logs_); }

 private:
  // Nothing of a newcomer that is to wait.
  Result<std::optional<MinedLog>> mine(const std::string& path, Newcomers newcomers) {
    MinedLog mined;
    mined.path = path;
    const Result<LogMatcher::File> file = files_.open(path);
    if (!file.ok()) {
      mined.problem = file.error();
      return std::optional(std::move(mined));
    }
    Result<LogMatcher::Match> match = matcher_.match(*file, path);
    if (!match.ok()) {
      mined.problem = match.error();
    } else if (newcomers == Newcomers::wait && is_newcomer(*match)) {
      return std::optional<MinedLog>();
    } else {
      QDEDUP_TRY(use(*std::move(match), mined));
    }
    done_bytes_ += (*file)->size();
    return std::optional(std::move(mined));
  }

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
  std::vector<MinedLog> logs_;
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
  std::vector<std::string> order = originals_first(paths, files);
  std::stable_partition(order.begin(), order.end(), [&](const std::string& path) {
    return matcher.is_known(files.signature(path).value_or(logs::FileSignature()));
  });
  // New is what neither was mined before nor repeats what is mined now.
  Result<std::vector<std::string>> fresh = run.mine(order, Newcomers::wait);
  if (fresh.ok()) fresh = run.mine(originals_first(*std::move(fresh), files), Newcomers::begin);
  if (!fresh.ok()) return std::move(fresh).error();

  MiningReport report;
  report.logs = run.take();
  for (const MinedLog& log : report.logs) report.totals += log.totals;
  put_in_order_of(paths, report.logs);
  return report;
}

}  // namespace qdedup::iteration
