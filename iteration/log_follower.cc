#include "iteration/log_follower.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "iteration/followed_log.h"
#include "logs/log_paths.h"

namespace qdedup::iteration {
namespace {

using Standing = FollowedLog::Standing;
using Time = FollowedLog::Time;

constexpr std::size_t small_bytes = std::size_t{1} << 20U;  // are read without waiting for the others
constexpr std::size_t most_unfinished = 16;                 // logs at once, for each of them takes memory
constexpr int patience = 10;  // what took a second is not tried again for so many

}  // namespace

class LogFollower::State {
 public:
  State(const config::Settings& settings, miner::LineParser parser, const FollowerOptions& options,
        const logs::Files& files, const MiningStore& store, const Clock& clock)
      : settings_(settings),
        parser_(std::move(parser)),
        options_(options),
        files_(files),
        store_(store),
        clock_(clock),
        matcher_(files, {}, settings.logs.max_line_bytes) {}

  Result<Turn> turn();
  void use(const config::Settings& settings, miner::LineParser parser);
  void reload() { loaded_ = false; }

  [[nodiscard]] std::map<std::string, LogLag> lags() const;
  [[nodiscard]] const std::map<std::string, std::string>& problems() const { return problems_; }
  [[nodiscard]] const FollowerCounters& counters() const { return counters_; }
  [[nodiscard]] std::vector<std::string> waiting() const;
  std::vector<LogNews> take_news() { return std::exchange(news_, {}); }

 private:
  using Places = std::map<LogMatcher::Identity, std::vector<std::string>>;

  Status load();
  void look();
  Places find_places();
  void come_into_sight(const LogMatcher::Identity& identity, const std::vector<std::string>& paths);
  void observe(FollowedLog& log, const Places& places);
  bool open(FollowedLog& log);
  void close(FollowedLog& log);

  Status work();
  std::vector<FollowedLog*> wanting(Standing standing);
  Status read_grown();
  Status begin_fresh();
  Status read_oldest();
  [[nodiscard]] bool is_in_doubt(const FollowedLog& log) const;

  Status begin(FollowedLog& log);
  Status go_on_with(FollowedLog& log, LogMatcher::Match match);
  Status pass_over(FollowedLog& log);
  Status read(FollowedLog& log, std::size_t bytes);
  Status start_after_cut(FollowedLog& log);
  void finish(FollowedLog& log);
  void fail(FollowedLog& log, const Error& error);
  void note_loss(FollowedLog& log);
  void free_copies_of(std::int64_t record_id);

  void let_go();
  [[nodiscard]] bool is_over(const FollowedLog& log) const;
  void close_idle();
  void tell_problems();
  [[nodiscard]] Turn outlook();

  config::Settings settings_;
  miner::LineParser parser_;
  FollowerOptions options_;
  const logs::Files& files_;
  const MiningStore& store_;
  const Clock& clock_;
  Time now_;
  bool loaded_ = false;
  LogMatcher matcher_;
  std::map<LogMatcher::Identity, FollowedLog> logs_;
  // Paths at which a log stands or stood that is read to its end, wherever it goes: one that comes after it
  // hides nothing.
  std::set<std::string> accounted_;
  std::map<std::string, std::string> found_problems_;  // in this turn, with paths
  std::map<std::string, std::string> problems_;
  std::size_t budget_ = 0;  // bytes that this turn may read yet, beside the oldest log's
  FollowerCounters counters_;
  std::vector<LogNews> news_;
};

Result<LogFollower::Turn> LogFollower::State::turn() {
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
Status LogFollower::State::load() {
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

void LogFollower::State::look() {
  found_problems_.clear();
  const Places places = find_places();
  for (auto& [identity, log] : logs_) log.in_sight = false;
  for (const auto& [identity, paths] : places) come_into_sight(identity, paths);
  for (auto& [identity, log] : logs_) observe(log, places);
}

// Where the globs lead, by file: links may lead to the same one.
LogFollower::State::Places LogFollower::State::find_places() {
  const std::vector<std::string> paths = logs::matching_paths(settings_.logs.paths);
  matcher_.look_at(paths);
  Places places;
  for (const std::string& path : paths) {
    if (const auto signature = files_.signature(path)) {
      places[signature->identity()].push_back(path);
    } else if (const auto file = files_.open(path); !file.ok()) {
      found_problems_[path] = file.error().message;
    }
  }
  return places;
}

void LogFollower::State::come_into_sight(const LogMatcher::Identity& identity,
                                         const std::vector<std::string>& paths) {
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
  const auto open_files =
      std::ranges::count_if(logs_, [](const auto& entry) { return entry.second.file != nullptr; });
  if (static_cast<std::size_t>(open_files) < options_.most_open_files && !open(log)) logs_.erase(place);
}

void LogFollower::State::observe(FollowedLog& log, const Places& places) {
  std::optional<logs::FileSignature> seen;
  if (log.file) {
    if (const auto signature = log.file->signature(); signature.ok()) seen = *signature;
  } else if (places.contains(log.identity)) {
    seen = files_.signature(log.path);
  }
  if (seen && seen->identity() == log.identity) log.observe(*seen, now_);
}

// Says whether the file is open now; what stands at its path may have changed, or may not be read.
bool LogFollower::State::open(FollowedLog& log) {
  if (log.file) return true;
  Result<LogMatcher::File> file = files_.open(log.path);
  if (!file.ok()) {
    found_problems_[log.path] = file.error().message;
    return false;
  }
  if (LogMatcher::Identity((*file)->device(), (*file)->inode()) != log.identity) return false;
  log.file = *std::move(file);
  matcher_.hold(log.file);
  log.inspect();
  return true;
}

void LogFollower::State::close(FollowedLog& log) {
  log.file.reset();
  matcher_.release(log.identity);
}

Status LogFollower::State::work() {
  budget_ = options_.stretch_bytes;
  QDEDUP_TRY(read_grown());
  QDEDUP_TRY(begin_fresh());
  return read_oldest();
}

// Those that have something to do, the oldest first.
std::vector<FollowedLog*> LogFollower::State::wanting(Standing standing) {
  std::vector<FollowedLog*> wanting;
  for (auto& [identity, log] : logs_) {
    if (log.standing == standing && log.wants_turn(now_, options_.settle_wait)) wanting.push_back(&log);
  }
  std::ranges::sort(wanting, {},
                    [](const FollowedLog* log) { return std::pair(log->seen.modified_ns, &log->path); });
  return wanting;
}

// The small ones, and the newest.
Status LogFollower::State::read_grown() {
  const std::vector<FollowedLog*> grown = wanting(Standing::reading);
  for (FollowedLog* log : grown) {
    const bool has_turn = log->unread() <= small_bytes || log == grown.back();
    if (has_turn && budget_ > 0) QDEDUP_TRY(read(*log, small_bytes));
  }
  return {};
}

// New logs give their first lines at once, so that copies of them are known for what they are.
Status LogFollower::State::begin_fresh() {
  std::vector<FollowedLog*> fresh = wanting(Standing::fresh);
  std::ranges::stable_sort(
      fresh, {}, [&](const FollowedLog* log) { return matcher_.turn_of(log->identity, log->path); });
  std::size_t unfinished = wanting(Standing::reading).size();
  for (FollowedLog* log : fresh) {
    const bool is_small = !log->compressed && log->seen.size <= small_bytes;
    const bool has_room = is_small || unfinished < most_unfinished;
    if (budget_ == 0 || !has_room || is_in_doubt(*log)) continue;
    QDEDUP_TRY(begin(*log));
    if (log->standing == Standing::reading) QDEDUP_TRY(read(*log, small_bytes));
    if (log->standing == Standing::reading && !log->is_finished()) ++unfinished;
  }
  return {};
}

// Does the file stand where a log was mined that may yet turn up under another name?
bool LogFollower::State::is_in_doubt(const FollowedLog& log) const {
  if (accounted_.contains(log.path) || now_ - log.first_seen >= options_.rotate_wait) return false;
  if (matcher_.turn_of(log.identity, log.path) != LogMatcher::Turn::replaced) return false;
  return matcher_.hides_another(log.path) && std::ranges::any_of(logs_, [&](const auto& entry) {
           const FollowedLog& other = entry.second;
           return other.standing == Standing::fresh && !other.undecided &&
                  matcher_.turn_of(other.identity, other.path) != LogMatcher::Turn::replaced;
         });
}

Status LogFollower::State::read_oldest() {
  const std::vector<FollowedLog*> unfinished = wanting(Standing::reading);
  return unfinished.empty() ? Status() : read(*unfinished.front(), options_.stretch_bytes);
}

Status LogFollower::State::begin(FollowedLog& log) {
  if (!open(log)) {
    log.not_before = now_ + options_.settle_wait;
    return {};
  }
  if (!log.wants_turn(now_, options_.settle_wait)) return {};  // now that its first bytes are known
  const Time started = clock_.steady_now();
  Result<LogMatcher::Match> match = matcher_.match(log.file, log.path);
  if (!match.ok()) {
    fail(log, match.error());
    return {};
  }
  if (match->use == LogMatcher::Use::mine) return go_on_with(log, *std::move(match));
  log.problem.reset();
  if (match->use == LogMatcher::Use::copy && log.copy_of == 0) {
    news_.push_back({LogNews::Kind::copy, log.path, log.path + ": repeats a log that is mined already"});
  }
  log.copy_of = match->use == LogMatcher::Use::copy ? match->record.id : 0;
  if (match->use == LogMatcher::Use::done) accounted_.insert(log.path);
  close(log);
  log.put_away(match->use == LogMatcher::Use::copy   ? Standing::copy
               : match->use == LogMatcher::Use::done ? Standing::done
                                                     : Standing::incomplete);
  log.not_before = now_ + patience * (clock_.steady_now() - started);
  return {};
}

Status LogFollower::State::go_on_with(FollowedLog& log, LogMatcher::Match match) {
  const bool is_new = match.record.id == 0;
  const bool hides_another = is_new && match.record.possible_loss && !accounted_.contains(log.path);
  const bool was_another = log.record_id != 0 && log.record_id != match.record.id;
  if (!log.covered && (hides_another || was_another)) note_loss(log);
  match.record.possible_loss = log.loss || (!is_new && match.record.possible_loss);
  match.moved = match.moved || log.loss;
  log.record_id = match.record.id;
  log.standing = Standing::reading;
  log.finished.reset();
  log.mining.emplace(std::move(match), MiningMeans{parser_, settings_, store_, clock_});
  return is_new && log.covered ? pass_over(log) : Status();
}

Status LogFollower::State::pass_over(FollowedLog& log) {
  const Result<bool> passed = log.mining->pass_over(*std::exchange(log.covered, std::nullopt), log.seen);
  if (!passed.ok()) return passed.error();
  if (!*passed) {
    log.start_over();
    return {};
  }
  log.record_id = log.mining->record().id;
  matcher_.update(log.mining->record());
  return {};
}

Status LogFollower::State::read(FollowedLog& log, std::size_t bytes) {
  const Result<LogMining::Stretch> stretch = log.mining->mine(bytes, [] {});
  if (!stretch.ok()) return stretch.error();
  counters_.totals += stretch->totals;
  counters_.bytes_read += stretch->bytes;
  budget_ -= std::min<std::uint64_t>(budget_, stretch->bytes);
  if (stretch->cut) return start_after_cut(log);
  log.record_id = log.mining->record().id;
  if (log.record_id != 0) matcher_.update(log.mining->record());
  if (stretch->problem) {
    fail(log, *stretch->problem);
    return {};
  }
  log.loss = false;
  log.problem.reset();
  if (stretch->at_end) finish(log);
  return {};
}

// The new record is stored before a copy of the old content may take the old one over, so that the loss is
// not forgotten.
Status LogFollower::State::start_after_cut(FollowedLog& log) {
  const std::int64_t record_id = std::exchange(log.record_id, 0);
  note_loss(log);
  log.start_over();
  log.inspect();
  QDEDUP_TRY(begin(log));
  if (log.standing == Standing::reading) {
    const Result<LogMining::Stretch> stretch = log.mining->mine(0, [] {});
    if (!stretch.ok()) return stretch.error();
    log.loss = stretch->cut || stretch->problem.has_value();
    log.record_id = log.mining->record().id;
    if (log.record_id != 0) matcher_.update(log.mining->record());
    if (stretch->cut) log.start_over();
  }
  free_copies_of(record_id);
  return {};
}

void LogFollower::State::finish(FollowedLog& log) {
  log.confirmed = log.is_finished() || log.is_settled(now_, options_.settle_wait);
  log.finished = log.seen;
  accounted_.insert(log.path);
  if (log.mining->file().compression() == logs::Compression::none) {
    log.mining->release_memory();
    return;
  }
  const bool incomplete = log.mining->file().cut_off();
  close(log);
  log.put_away(incomplete ? Standing::incomplete : Standing::done);
}

// Damage stays until the file changes; anything else is tried again.
void LogFollower::State::fail(FollowedLog& log, const Error& error) {
  log.problem = error.message;
  if (error.code == ErrorCode::data) {
    close(log);
    log.put_away(Standing::damaged);
    return;
  }
  log.start_over();
  log.not_before = now_ + options_.settle_wait;
  if (log.in_sight) close(log);
}

void LogFollower::State::note_loss(FollowedLog& log) {
  if (log.loss) return;
  log.loss = true;
  ++counters_.possible_loss;
  news_.push_back({LogNews::Kind::possible_loss, log.path,
                   log.path + ": was cut or replaced; what was written in between may be lost"});
}

// The log that they repeat is gone: one of them may have to take its place.
void LogFollower::State::free_copies_of(std::int64_t record_id) {
  for (auto& [identity, log] : logs_) {
    if (log.standing != Standing::copy || log.copy_of != record_id) continue;
    log.start_over();
    log.covered = matcher_.mined_up_to(record_id);
    log.not_before = {};
  }
}

// A file without a name is kept for those who still write to it.
bool LogFollower::State::is_over(const FollowedLog& log) const {
  if (log.in_sight) return false;
  if (!log.file) return true;
  const bool idle = now_ - std::max(log.seen_since, log.in_sight_before) >= options_.rotate_wait;
  return idle && (log.is_finished() || log.undecided || log.problem);
}

void LogFollower::State::let_go() {
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

void LogFollower::State::close_idle() {
  std::vector<FollowedLog*> idle;
  std::size_t open_files = 0;
  for (auto& [identity, log] : logs_) {
    open_files += log.file ? 1U : 0U;
    if (log.file && log.in_sight && log.standing == Standing::reading && log.is_finished())
      idle.push_back(&log);
  }
  std::ranges::sort(idle, {},
                    [](const FollowedLog* log) { return std::pair(log->seen_since, log->seen.modified_ns); });
  for (FollowedLog* log : idle) {
    if (open_files-- <= options_.most_open_files) return;
    accounted_.erase(log->path);
    close(*log);
    log->put_away(Standing::resting);
  }
}

void LogFollower::State::tell_problems() {
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

LogFollower::Turn LogFollower::State::outlook() {
  Turn turn;
  for (auto& [identity, log] : logs_) {
    if (log.unread() == 0) log.lags_since.reset();
    if (log.unread() > 0 && !log.lags_since) log.lags_since = now_;
    if (log.standing != Standing::fresh && log.standing != Standing::reading) continue;
    if (log.wants_turn(now_, options_.settle_wait) && !is_in_doubt(log)) turn.more = true;
    const Time settled = log.seen_since + options_.settle_wait;
    if (log.standing != Standing::fresh || !log.compressed || settled <= now_) continue;
    if (!turn.due || settled < *turn.due) turn.due = settled;
  }
  return turn;
}

void LogFollower::State::use(const config::Settings& settings, miner::LineParser parser) {
  settings_ = settings;
  parser_ = std::move(parser);
  loaded_ = false;
  const std::vector<std::string> paths = logs::matching_paths(settings_.logs.paths);
  std::erase_if(logs_, [&](const auto& entry) {
    return entry.second.in_sight && std::ranges::find(paths, entry.second.path) == paths.end();
  });
}

std::map<std::string, LogLag> LogFollower::State::lags() const {
  std::map<std::string, LogLag> lags;
  for (const auto& [identity, log] : logs_) {
    if (log.unread() == 0 || !log.lags_since) continue;
    LogLag& lag = lags[log.path];
    lag.since = lag.bytes == 0 ? *log.lags_since : std::min(lag.since, *log.lags_since);
    lag.bytes += log.unread();
  }
  return lags;
}

std::vector<std::string> LogFollower::State::waiting() const {
  std::vector<std::string> paths;
  for (const auto& [identity, log] : logs_) {
    if (log.standing == Standing::incomplete) paths.push_back(log.path);
  }
  std::ranges::sort(paths);
  return paths;
}

LogFollower::LogFollower(std::unique_ptr<State> state) : state_(std::move(state)) {}
LogFollower::LogFollower(LogFollower&&) noexcept = default;
LogFollower::~LogFollower() = default;

Result<LogFollower> LogFollower::create(const config::Settings& settings, const FollowerOptions& options,
                                        const logs::Files& files, const MiningStore& store,
                                        const Clock& clock) {
  Result<miner::LineParser> parser = miner::LineParser::create(settings.logs.format, settings.logs.pointer);
  if (!parser.ok()) return std::move(parser).error();
  return LogFollower(std::make_unique<State>(settings, *std::move(parser), options, files, store, clock));
}

Status LogFollower::use(const config::Settings& settings) {
  Result<miner::LineParser> parser = miner::LineParser::create(settings.logs.format, settings.logs.pointer);
  if (!parser.ok()) return std::move(parser).error();
  state_->use(settings, *std::move(parser));
  return {};
}

Result<LogFollower::Turn> LogFollower::turn() { return state_->turn(); }
void LogFollower::reload() { state_->reload(); }
std::map<std::string, LogLag> LogFollower::lags() const { return state_->lags(); }
const std::map<std::string, std::string>& LogFollower::problems() const { return state_->problems(); }
const FollowerCounters& LogFollower::counters() const { return state_->counters(); }
std::vector<std::string> LogFollower::waiting() const { return state_->waiting(); }
std::vector<LogNews> LogFollower::take_news() { return state_->take_news(); }

}  // namespace qdedup::iteration
