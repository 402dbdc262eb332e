#include "iteration/following.h"

#include <algorithm>
#include <optional>

#include "logs/log_paths.h"

namespace qdedup::iteration {

Result<LogFollower::Turn> Following::turn() {
  now_ = clock_.steady_now();
  if (!loaded_) QDEDUP_TRY(load());
  look();
  if (Status worked = work(); !worked.ok()) {
    loaded_ = false;
    return std::move(worked).error();
  }
  let_go();
  close_idle();
  tell_problems();
  return outlook();
}

// What is known only here of how far logs were read is forgotten; files stay open.
Status Following::load() {
  Result<std::vector<db::LogRecord>> known = store_.logs();
  if (!known.ok()) return std::move(known).error();
  matcher_ = LogMatcher(files_, *std::move(known), settings_.logs.max_line_bytes);
  for (auto& [identity, log] : logs_) {
    if (log.standing == Standing::reading) log.start_over();
    if (log.file) matcher_.hold(log.file);
  }
  loaded_ = true;
  return {};
}

void Following::look() {
  found_problems_.clear();
  const Places places = find_places();
  for (auto& [identity, log] : logs_) log.in_sight = false;
  for (const auto& [identity, paths] : places) come_into_sight(identity, paths);
  for (auto& [identity, log] : logs_) observe(log, places);
}

// Where the globs lead, by file: links may lead to the same one.
Following::Places Following::find_places() {
  const std::vector<std::string> paths = logs::matching_paths(settings_.logs.paths);
  matcher_.look_at(paths);
  Places places;
  for (const std::string& path : paths) {
    if (const auto signature = files_.signature(path)) {
      places[signature->identity].push_back(path);
    } else if (const auto file = files_.open(path); !file.ok()) {
      found_problems_[path] = file.error().message;
    }
  }
  return places;
}

void Following::come_into_sight(const LogMatcher::Identity& identity, const std::vector<std::string>& paths) {
  const auto [place, is_new] = logs_.try_emplace(identity);
  FollowedLog& log = place->second;
  log.in_sight = true;
  log.in_sight_before = now_;
  if (std::ranges::find(paths, log.path) == paths.end()) {
    log.path = paths.front();
    if (log.mining) log.mining->rename(log.path);
    if (log.mining) log.finished.reset();
  }
  if (!is_new) return;
  log.identity = identity;
  log.first_seen = now_;
  if (has_descriptors() && !open(log)) logs_.erase(place);
}

void Following::observe(FollowedLog& log, const Places& places) {
  std::optional<logs::FileSignature> seen;
  if (log.file) {
    if (const auto signature = log.file->signature(); signature.ok()) seen = *signature;
  } else if (places.contains(log.identity)) {
    seen = files_.signature(log.path);
  }
  const bool shrank = seen && seen->size < log.seen.size;
  if (shrank && log.standing == Standing::fresh && !log.compressed) note_loss(log);
  if (seen && seen->identity == log.identity) log.observe(*seen, now_);
  log.in_doubt = false;
}

// Says whether the file is open now; what stands at its path may have changed, or may not be read.
bool Following::open(FollowedLog& log) {
  if (log.file) return true;
  Result<LogMatcher::File> file = files_.open(log.path);
  if (!file.ok()) {
    found_problems_[log.path] = file.error().message;
    return false;
  }
  if ((*file)->identity() != log.identity) return false;
  log.file = *std::move(file);
  matcher_.hold(log.file);
  log.inspect();
  return true;
}

void Following::close(FollowedLog& log) {
  log.file.reset();
  matcher_.release(log.identity);
}

// A file without a name is kept for those who still write to it.
bool Following::is_over(const FollowedLog& log) const {
  if (log.in_sight) return false;
  if (!log.file) return true;
  const bool idle = now_ - std::max(log.seen_since, log.in_sight_before) >= options_.rotate_wait;
  return idle && (log.is_finished() || log.problem);
}

void Following::let_go() {
  std::vector<std::int64_t> gone;
  for (auto place = logs_.begin(); place != logs_.end();) {
    FollowedLog& log = place->second;
    if (!is_over(log)) {
      ++place;
      continue;
    }
    if (log.file && log.problem && !log.is_finished()) note_loss(log);
    close(log);
    if (log.record_id != 0) gone.push_back(log.record_id);
    place = logs_.erase(place);
  }
  for (const std::int64_t record_id : gone) free_copies_of(record_id);
}

std::size_t Following::open_files() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(logs_, [](const auto& entry) { return entry.second.file != nullptr; }));
}

// Those that have not grown for the longest time go first.
void Following::close_idle() {
  std::size_t surplus = open_files() - std::min(open_files(), options_.most_open_files);
  if (surplus == 0) return;
  std::vector<FollowedLog*> idle;
  for (auto& [identity, log] : logs_) {
    const bool is_idle = log.standing == Standing::reading && log.is_finished();
    if (log.file && log.in_sight && is_idle) idle.push_back(&log);
  }
  std::ranges::sort(idle, {},
                    [](const FollowedLog* log) { return std::pair(log->seen_since, log->seen.modified_ns); });
  idle.resize(std::min(idle.size(), surplus));
  for (FollowedLog* log : idle) {
    accounted_.erase(log->path);
    close(*log);
    log->put_away(Standing::resting);
  }
}

void Following::tell_problems() {
  for (const auto& [identity, log] : logs_) {
    if (log.problem) found_problems_[log.path] = *log.problem;
  }
  for (const auto& [path, problem] : found_problems_) {
    const auto known = problems_.find(path);
    if (known == problems_.end() || known->second != problem) {
      news_.push_back({LogNews::Kind::problem, path, problem});
    }
  }
  for (const auto& [path, problem] : problems_) {
    if (found_problems_.contains(path)) continue;
    news_.push_back({LogNews::Kind::solved, path, path + ": no longer a problem"});
  }
  problems_ = found_problems_;
}

LogFollower::Turn Following::outlook() {
  LogFollower::Turn turn;
  for (auto& [identity, log] : logs_) {
    if (log.unread() == 0) log.lags_since.reset();
    if (log.unread() > 0 && !log.lags_since) log.lags_since = now_;
    if (log.standing != Standing::fresh && log.standing != Standing::reading) continue;
    if (log.wants_turn(now_, options_.settle_wait) && !log.in_doubt) turn.more = true;
    const Time settled = log.seen_since + options_.settle_wait;
    if (log.standing != Standing::fresh || !log.compressed || settled <= now_) continue;
    if (!turn.due || settled < *turn.due) turn.due = settled;
  }
  return turn;
}

void Following::use(const config::Settings& settings, miner::LineParser parser,
                    const FollowerOptions& options) {
  settings_ = settings;
  options_ = options;
  parser_ = std::move(parser);
  loaded_ = false;
  const std::vector<std::string> paths = logs::matching_paths(settings_.logs.paths);
  std::erase_if(logs_, [&](const auto& entry) {
    const FollowedLog& log = entry.second;
    const bool is_left = log.in_sight && std::ranges::find(paths, log.path) == paths.end();
    if (is_left) accounted_.erase(log.path);
    return is_left;
  });
}

std::map<std::string, LogLag> Following::lags() const {
  std::map<std::string, LogLag> lags;
  for (const auto& [identity, log] : logs_) {
    if (log.unread() == 0 || !log.lags_since) continue;
    LogLag& lag = lags[log.path];
    lag.since = lag.bytes == 0 ? *log.lags_since : std::min(lag.since, *log.lags_since);
    lag.bytes += log.unread();
  }
  return lags;
}

std::vector<std::string> Following::waiting() const {
  std::vector<std::string> paths;
  for (const auto& [identity, log] : logs_) {
    if (log.standing == Standing::incomplete) paths.push_back(log.path);
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace qdedup::iteration
