#include "iteration/log_follower.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "logs/log_mark.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t max_open_at_once = 4;  // files during a single look

constexpr db::LogMarkLimits kept_in_memory{kept_marks, kept_lines* logs::line_hash_bytes};

}  // namespace

FollowerOptions FollowerOptions::one_shot() {
  FollowerOptions options;
  options.rotate_wait = {};
  options.settle_wait = {};
  options.stretch_lines = std::numeric_limits<std::uint64_t>::max();
  options.max_open_files = max_open_at_once;
  options.max_begun = std::numeric_limits<std::size_t>::max();
  options.to_end = true;
  return options;
}

Result<std::unique_ptr<LogFollower>> LogFollower::create(const config::Settings& settings,
                                                         const FollowerOptions& options,
                                                         const logs::Files& files, db::StoreWriter& writer,
                                                         const Clock& clock) {
  QDEDUP_ASSIGN_OR_RETURN(miner::LineParser parser, miner::LineParser::create(settings.logs.shape));
  return std::unique_ptr<LogFollower>(
      new LogFollower(settings, std::move(parser), options, files, writer, clock));
}

LogFollower::LogFollower(const config::Settings& settings, miner::LineParser parser, FollowerOptions options,
                         const logs::Files& files, db::StoreWriter& writer, const Clock& clock)
    : settings_(settings),
      parser_(std::move(parser)),
      options_(std::move(options)),
      files_(files),
      writer_(writer),
      clock_(clock),
      matcher_(files, settings.logs.max_line_bytes, marks()) {}

// A failure is the store's, not that of the log that is matched.
LogMarks LogFollower::marks() {
  const auto noted = [this](auto marks) {
    if (!marks.ok()) marks_failed_ = marks.error();
    return marks;
  };
  return {[this, noted](std::int64_t log_id) {
            return noted(writer_.write([&](db::Store& store) { return db::Evidence(store).marks(log_id); }));
          },
          [this, noted](const std::vector<std::int64_t>& log_ids) {
            return noted(writer_.write(
                [&](db::Store& store) { return db::Evidence(store).first_marks(log_ids, kept_in_memory); }));
          }};
}

Result<LogFollower::Turn> LogFollower::turn() { return turn(logs::matching_paths(settings_.logs.paths)); }

Result<LogFollower::Turn> LogFollower::turn(const Result<std::vector<std::string>>& paths) {
  now_ = clock_.steady_now();
  Status worked = loaded_ ? Status() : load();
  look(paths);
  if (worked.ok()) worked = work();
  if (worked.ok()) worked = let_go();
  note_lags();
  if (!worked.ok()) {
    loaded_ = false;
    return std::move(worked).error();
  }
  close_idle();
  report_problems();
  return outlook();
}

void LogFollower::look_on() {
  now_ = clock_.steady_now();
  look(logs::matching_paths(settings_.logs.paths));
  note_lags();
}

// Forgets any reading beyond what is stored; files stay open. If somebody forgot a log, or took one back, all
// files are matched again.
Status LogFollower::load() {
  QDEDUP_ASSIGN_OR_RETURN(std::vector<db::LogRecord> known,
                          writer_.write([](db::Store& store) { return db::Evidence(store).logs(); }));
  std::set<std::int64_t> forgotten;
  for (const db::LogRecord& record : known) {
    if (record.is_forgotten()) forgotten.insert(record.id);
  }
  matcher_.renew(std::move(known), settings_.logs.max_line_bytes);
  std::erase_if(ended_, [&](std::int64_t record_id) { return matcher_.find(record_id) == nullptr; });
  const bool is_another_choice = forgotten != std::exchange(forgotten_, forgotten);
  for (auto& [identity, log] : logs_) {
    if (forgotten_.contains(log.record_id)) log.record_id = 0;  // nothing is lost with it any more
    if (log.is<Reading>() || is_another_choice) log.start_over();
  }
  loaded_ = true;
  return {};
}

void LogFollower::look(const Result<std::vector<std::string>>& paths) {
  looked_at_ = now_;
  found_problems_.clear();
  const Places places = find_places(paths);
  for (auto& [identity, log] : logs_) log.in_sight = false;
  for (const auto& [identity, place] : places) come_into_sight(place);
  for (auto& [identity, log] : logs_) observe(log, places);
}

// By file, since several paths may lead to the same one.
LogFollower::Places LogFollower::find_places(const Result<std::vector<std::string>>& paths) {
  Places places;
  if (!paths.ok()) {  // assumes that nothing has moved
    found_problems_[""] = paths.error();
    for (const auto& [identity, log] : logs_) {
      if (log.in_sight) places[identity] = {log.seen, {log.path}};
    }
    return places;
  }
  matcher_.look_at(*paths);
  for (const std::string& path : *paths) {
    if (const auto signature = logs::signature_of(path)) {
      Place& place = places[signature->identity];
      place.file = *signature;
      place.paths.push_back(path);
    } else if (const auto file = files_.open(path); !file.ok()) {
      found_problems_[path] = file.error();
    }
  }
  return places;
}

void LogFollower::come_into_sight(const Place& place) {
  const auto before = logs_.find(place.file.identity);
  const bool is_reused = before != logs_.end() && !before->second.file &&
                         logs::births_differ(before->second.seen.born_ns, place.file.born_ns);
  if (is_reused) {
    std::vector<std::int64_t> gone;
    drop(before, gone);
    for (const std::int64_t record_id : gone) free_copies_of(record_id);
  }
  const auto [entry, is_new] = logs_.try_emplace(place.file.identity);
  FollowedLog& log = entry->second;
  log.in_sight = true;
  log.last_in_sight = now_;
  if (std::ranges::find(place.paths, log.path) == place.paths.end()) {
    log.path = place.paths.front();
    log.renamed = true;
    if (Reading* reading = log.reading()) {
      reading->mining.rename(log.path);
      reading->at_end = false;
    }
    if (log.is<LeftOut>()) log.start_over();
  }
  if (!is_new) return;
  // It may grow and be cut again before it goes.
  std::erase_if(ended_, [&](std::int64_t record_id) { return matcher_.is_of(place.file, record_id); });
  log.seen.identity = place.file.identity;
  log.first_seen = now_;
  const bool is_opened_later = options_.to_end || !has_descriptors();
  if (!is_opened_later && !open(log)) logs_.erase(entry);
}

void LogFollower::observe(FollowedLog& log, const Places& places) {
  std::optional<logs::FileSignature> seen;
  if (log.file) {
    if (const auto signature = log.file->signature(); signature.ok()) seen = *signature;
  } else if (places.contains(log.seen.identity)) {
    seen = logs::signature_of(log.path);
  }
  const bool shrank = seen && seen->size < log.seen.size;
  const bool is_unread = log.is<Fresh>() || log.is<Empty>() || log.is<Done>();
  if (shrank && is_unread && !log.compressed) note_loss(log);
  if (seen && seen->identity == log.seen.identity) log.observe(*seen, now_);
  if (Fresh* fresh = std::get_if<Fresh>(&log.state)) fresh->in_doubt = false;
}

// Returns whether the file is open now: the file at its path may have been replaced, or be unreadable.
bool LogFollower::open(FollowedLog& log) {
  if (log.file) return true;
  Result<LogMatcher::File> file = files_.open(log.path);
  if (!file.ok()) {
    if (file.error().code == ErrorCode::busy && !options_.to_end) {
      found_problems_[""] = {ErrorCode::busy, "some logs cannot be opened: too many open files"};
    } else {
      log.problem = found_problems_[log.path] = file.error();
      log.shut = true;
    }
    return false;
  }
  if ((*file)->identity() != log.seen.identity) return false;
  if (std::exchange(log.shut, false)) log.problem.reset();
  log.file = *std::move(file);
  matcher_.hold(log.file);
  log.inspect();
  return true;
}

void LogFollower::close(FollowedLog& log) {
  log.file.reset();
  matcher_.release(log.seen.identity);
}

// A file without a name is kept a while, because somebody may still be writing to it.
bool LogFollower::is_over(const FollowedLog& log) const {
  if (log.in_sight) return false;
  if (!log.file) return true;
  const bool idle = now_ - std::max(log.seen_since, log.last_in_sight) >= options_.rotate_wait;
  return idle && (log.is_finished() || log.problem);
}

Status LogFollower::let_go() {
  for (auto& [identity, log] : logs_) {
    if (is_over(log) && log.file && log.problem && !log.is_finished()) QDEDUP_TRY(store_unread(log));
  }
  std::vector<std::int64_t> gone;
  for (auto place = logs_.begin(); place != logs_.end();) {
    FollowedLog& log = place->second;
    if (!is_over(log)) {
      ++place;
      continue;
    }
    if (log.file && log.is<Reading>()) ended_.insert(log.record_id);
    place = drop(place, gone);
  }
  for (const std::int64_t record_id : gone) free_copies_of(record_id);
  return {};
}

// Adds the records whose copies may have to take its place.
LogFollower::Logs::iterator LogFollower::drop(Logs::iterator place, std::vector<std::int64_t>& gone) {
  FollowedLog& log = place->second;
  close(log);
  if (log.record_id != 0) gone.push_back(log.record_id);
  if (const LeftOut* left_out = std::get_if<LeftOut>(&log.state)) gone.push_back(left_out->record_id);
  return logs_.erase(place);
}

// Copies and the like are closed first, then the logs that have not grown for the longest time; those that
// may grow without a sign come last.
void LogFollower::close_idle() {
  if (matcher_.held().size() <= options_.max_open_files) return;
  const std::size_t surplus = matcher_.held().size() - options_.max_open_files;
  std::vector<FollowedLog*> idle;
  for (const auto& [identity, file] : matcher_.held()) {
    FollowedLog& log = logs_.at(identity);
    if (log.in_sight && log.is_finished() && !log.is<Empty>()) idle.push_back(&log);
  }
  std::ranges::sort(idle, {}, [](const FollowedLog* log) {
    const Reading* reading = log->reading();
    const bool may_grow_unseen = reading != nullptr && reading->look_again;
    return std::tuple(may_grow_unseen, reading != nullptr, log->seen_since, log->seen.modified_ns);
  });
  idle.resize(std::min(idle.size(), surplus));
  for (FollowedLog* log : idle) {
    close(*log);
    if (!log->is<Reading>()) continue;
    note_unread(*log);
    log->state = Resting{};
  }
}

void LogFollower::report_problems() {
  for (const auto& [identity, log] : logs_) {
    if (log.problem) found_problems_[log.path] = *log.problem;
  }
  for (const auto& [path, problem] : found_problems_) {
    const auto known = problems_.find(path);
    if (known == problems_.end() || known->second.message != problem.message) {
      news_.push_back({LogNews::Kind::problem, path, problem.message});
    }
  }
  for (const auto& [path, problem] : problems_) {
    if (found_problems_.contains(path)) continue;
    const bool is_gone = !path.empty() && !logs::signature_of(path);
    news_.push_back(
        {LogNews::Kind::solved, path, path + (is_gone ? ": no longer to be seen" : ": no longer a problem")});
  }
  problems_ = found_problems_;
}

void LogFollower::note_lags() {
  for (auto& [identity, log] : logs_) {
    if (log.unread() == 0) log.lags_since.reset();
    if (log.unread() > 0 && !log.lags_since) log.lags_since = now_;
  }
}

LogFollower::Turn LogFollower::outlook() {
  LogFollower::Turn turn;
  for (const auto& [identity, log] : logs_) {
    if (log.wants_turn(now_, options_.settle_wait) && !log.in_doubt()) turn.more = true;
    const Time settled = log.seen_since + options_.settle_wait;
    if (!log.is<Fresh>() || !log.compressed || settled <= now_) continue;
    if (!turn.due || settled < *turn.due) turn.due = settled;
  }
  return turn;
}

Status LogFollower::use(const config::Settings& settings, const FollowerOptions& options) {
  QDEDUP_ASSIGN_OR_RETURN(parser_, miner::LineParser::create(settings.logs.shape));
  settings_ = settings;
  options_ = options;
  loaded_ = false;
  const Result<std::vector<std::string>> paths = logs::matching_paths(settings_.logs.paths);
  if (!paths.ok()) return {};
  std::vector<std::int64_t> gone;
  for (auto place = logs_.begin(); place != logs_.end();) {
    const FollowedLog& log = place->second;
    const bool is_listed = std::ranges::find(*paths, log.path) != paths->end();
    const auto there = log.in_sight && !is_listed ? logs::signature_of(log.path) : std::nullopt;
    const bool is_left = there && there->identity == log.seen.identity;  // or else it was removed or renamed
    if (is_left) accounted_.erase(log.path);
    place = is_left ? drop(place, gone) : std::next(place);
  }
  for (const std::int64_t record_id : gone) free_copies_of(record_id);
  return {};
}

std::map<std::string, LogLag> LogFollower::lags() const {
  std::map<std::string, LogLag> lags;
  for (const auto& [identity, log] : logs_) {
    if (log.unread() == 0 || !log.lags_since) continue;
    LogLag& lag = lags[log.path];
    lag.since = lag.bytes == 0 ? *log.lags_since : std::min(lag.since, *log.lags_since);
    lag.bytes += log.unread();
  }
  return lags;
}

std::map<logs::FileIdentity, LogProgress> LogFollower::progress() const {
  std::map<logs::FileIdentity, LogProgress> progress;
  for (const auto& [identity, log] : logs_) {
    if (log.problem) continue;
    progress[identity] = {.size = log.seen.size, .mined = log.seen.size - log.unread()};
  }
  return progress;
}

std::vector<std::string> LogFollower::waiting() const {
  std::vector<std::string> paths;
  for (const auto& [identity, log] : logs_) {
    if (log.is<Incomplete>()) paths.push_back(log.path);
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace qdedup::iteration
