// The part of LogFollower that matches and mines.

#include <algorithm>
#include <string_view>
#include <tuple>

#include "iteration/log_follower.h"

namespace qdedup::iteration {
namespace {

// Logs this small are read, or verified, without waiting for others.
constexpr std::size_t small_bytes = std::size_t{1} << 20U;
// Plain logs at once, compressed ones, and those that are being verified, to limit memory.
constexpr std::size_t max_unfinished = 8;
constexpr int patience = 10;  // an attempt that took a second is not repeated for this many

// A copy may be shorter than its original, and is written, or at least created, later.
void put_originals_first(std::vector<FollowedLog*>& logs) {
  std::ranges::sort(logs, {}, [](const FollowedLog* log) {
    return std::tuple(~log->seen.size, log->seen.modified_ns, log->seen.born_ns, std::string_view(log->path));
  });
}

}  // namespace

Status LogFollower::work() {
  budget_ = options_.to_end ? std::numeric_limits<std::uint64_t>::max() : options_.stretch_bytes;
  passed_ = 0;
  matcher_.may_compare(budget_);
  QDEDUP_TRY(store_names());
  QDEDUP_TRY(read_grown());
  QDEDUP_TRY(begin_fresh());
  return read_oldest();
}

// People name logs by the paths where they were seen last.
Status LogFollower::store_names() {
  std::vector<db::LogRecord> moved;
  for (const auto& [identity, log] : logs_) {
    const db::LogRecord* known = log.renamed ? matcher_.find(log.record_at_rest()) : nullptr;
    if (known == nullptr || known->path == log.path || !matcher_.is_of(log.seen, known->id)) continue;
    moved.push_back(*known);
    moved.back().path = log.path;
  }
  if (!moved.empty())
    QDEDUP_TRY(writer_.write([&](db::Store& store) { return db::Evidence(store).rename(moved); }));
  for (const db::LogRecord& record : moved) matcher_.update(record);
  for (auto& [identity, log] : logs_) log.renamed = false;
  return {};
}

// The wanted logs that have something to do, oldest first.
std::vector<FollowedLog*> LogFollower::wanting(bool (FollowedLog::*is_wanted)() const) {
  std::vector<FollowedLog*> wanting;
  for (auto& [identity, log] : logs_) {
    if ((log.*is_wanted)() && log.wants_turn(now_, options_.settle_wait)) wanting.push_back(&log);
  }
  std::ranges::sort(wanting, {}, [](const FollowedLog* log) {
    return std::pair(log->seen.modified_ns, std::string_view(log->path));
  });
  return wanting;
}

// Reads the small logs and the newest one; leaves half of the budget for fresh ones.
Status LogFollower::read_grown() {
  const std::vector<FollowedLog*> grown = wanting(&FollowedLog::is<Reading>);
  for (FollowedLog* log : grown) {
    const bool has_turn = log->unread() <= small_bytes || log == grown.back();
    if (has_turn && budget_ > options_.stretch_bytes / 2) QDEDUP_TRY(read(*log, small_bytes));
  }
  return {};
}

// Known logs come first; those that take several turns to compare come last. Then the first lines of all new
// logs are read at once, originals first, so that copies of them are recognised.
Status LogFollower::begin_fresh() {
  std::vector<FollowedLog*> fresh = wanting(&FollowedLog::is<Fresh>);
  put_originals_first(fresh);
  std::stable_partition(fresh.begin(), fresh.end(),
                        [&](const FollowedLog* log) { return matcher_.is_known(log->seen); });
  std::ranges::stable_sort(fresh, {}, &FollowedLog::comparisons);
  verifying_ = static_cast<std::size_t>(
      std::ranges::count_if(logs_, [](const auto& entry) { return entry.second.is_being_verified(); }));
  std::size_t begun = 0;  // what is left comes in the next turn, after what was added to logs
  for (FollowedLog* log : fresh) {
    if (log->looks_new() || !may_verify(*log)) continue;
    if (log->is_being_compared() && !matcher_.may_compare()) break;
    if (!log->is_being_compared() && begun++ == options_.max_begun) return {};
    QDEDUP_TRY(begin(*log, Newcomers::wait));
    if (!log->looks_new()) passed_ += log->seen.size;
    if (log->looks_new() && !has_descriptors()) close(*log);
    close_idle();
  }
  std::erase_if(fresh, [](const FollowedLog* log) { return !log->looks_new(); });
  put_originals_first(fresh);
  std::map<bool, std::size_t> unfinished;  // by compression
  for (const FollowedLog* log : wanting(&FollowedLog::is<Reading>)) ++unfinished[log->compressed];
  for (FollowedLog* log : fresh) {
    const bool is_small = !log->compressed && log->seen.size <= small_bytes;
    const bool has_room = is_small || unfinished[log->compressed] < max_unfinished;
    if (budget_ == 0 || !has_room) continue;
    if (begun >= options_.max_begun) break;
    QDEDUP_TRY(begin(*log, Newcomers::begin));
    if (!log->in_doubt()) ++begun;
    passed_ += log->seen.size;
    if (log->is<Reading>() && !log->is_finished()) ++unfinished[log->compressed];
    close_idle();
  }
  return {};
}

// Whether the new file is at the path of a mined log, or contains only part of one, and that log may still
// turn up elsewhere.
bool LogFollower::is_in_doubt(const FollowedLog& log, const LogMatcher::Match& match) const {
  if (match.brief && now_ - log.seen_since < options_.rotate_wait) return true;
  // A packed file is not examined sooner, however short `rotate_wait` is, and perhaps not verified by then.
  const bool is_late = now_ - log.first_seen >= std::max(options_.rotate_wait, 2 * options_.settle_wait);
  const bool hides_another = !accounted_.contains(log.path) && matcher_.hides_another(log.path);
  const bool may_hide = match.use == LogMatcher::Use::shorter || hides_another;
  return may_hide && std::ranges::any_of(logs_, [&](const auto& entry) {
           const FollowedLog& other = entry.second;
           if (&other == &log || !other.is<Fresh>() || other.looks_new()) return false;
           return !is_late ||
                  (other.is_unverified() && !other.problem && other.wants_turn(now_, options_.settle_wait));
         });
}

// A copy of a log in doubt, or of one whose first line was not reached yet, has to wait too; otherwise it
// would count as the original.
bool LogFollower::repeats_one_in_doubt(const FollowedLog& log) {
  return std::ranges::any_of(matcher_.held(), [&](const auto& entry) {
    const FollowedLog& other = logs_.at(entry.first);
    const Reading* reading = other.reading();
    const bool has_no_line = reading != nullptr && !reading->at_end && reading->mining.record().offset == 0;
    if (!(other.in_doubt() || has_no_line) || &other == &log) return false;
    const Result<std::optional<bool>> copy = matcher_.is_copy(log.file, other.file);
    return copy.ok() ? copy->value_or(true) : copy.error().code == ErrorCode::busy;
  });
}

// Reads the oldest log that is behind, or goes on verifying it.
Status LogFollower::read_oldest() {
  const std::vector<FollowedLog*> unfinished = wanting(&FollowedLog::is_begun);
  if (unfinished.empty()) return {};
  FollowedLog& oldest = *unfinished.front();
  if (oldest.is<Reading>()) return read(oldest, options_.stretch_bytes);
  verify(oldest, options_.stretch_bytes);
  return {};
}

bool LogFollower::may_verify(const FollowedLog& log) const {
  if (!log.is_unverified() || log.is_being_verified() || verifying_ == 0) return true;
  return verifying_ < max_unfinished && has_descriptors();
}

// Goes on with the verification of a packed log; returns whether it has ended.
bool LogFollower::verify(FollowedLog& log, std::uint64_t bytes) {
  const bool was_begun = log.is_being_verified();
  auto& fresh = std::get<Fresh>(log.state);
  const Time started = clock_.steady_now();
  const Result<bool> done = logs::verify(log.file, bytes);
  fresh.spent += clock_.steady_now() - started;
  if (!done.ok()) fail_attempt(log, done.error(), fresh.spent);
  if (log.is_being_verified()) ++verifying_;
  if (was_begun) --verifying_;
  return done.ok() && *done;
}

Status LogFollower::begin(FollowedLog& log, Newcomers newcomers) {
  if (!open(log)) {
    log.not_before = now_ + options_.settle_wait;
    return {};
  }
  // Checked again, since its first bytes are known now.
  if (!log.wants_turn(now_, options_.settle_wait)) return {};
  if (!may_verify(log)) {
    if (!has_descriptors()) close(log);
    return {};
  }
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  if (log.compressed && !verify(log, options_.to_end ? all : small_bytes)) return {};
  const Time started = clock_.steady_now() - std::get<Fresh>(log.state).spent;
  Result<LogMatcher::Match> match = matcher_.match(log.file, log.path);
  if (marks_failed_) return *std::exchange(marks_failed_, {});
  if (!match.ok()) {
    fail_attempt(log, match.error(), clock_.steady_now() - started);
    return {};
  }
  const bool is_new = match->is_new();
  const bool is_empty = match->use == LogMatcher::Use::empty;
  const bool was_cut = match->cut && !log.accounted;
  if (match->use == LogMatcher::Use::compare) {
    if (was_cut) note_loss(log);  // before a copy of the old content takes over its record
    auto& compared = std::get<Fresh>(log.state);
    compared.looks_new = false;
    compared.spent = clock_.steady_now() - started;
    ++log.comparisons;
    if (!has_descriptors()) close(log);
    return {};
  }
  log.comparisons = 0;
  if (match->record.is_forgotten()) return leave_out(log, *match);
  const bool is_cut_copy = match->use == LogMatcher::Use::copy && log.loss;
  const bool is_left_empty =
      is_empty && options_.to_end && match->record.id == 0 && match->record.possible_loss;
  if (is_cut_copy || (is_new && (was_cut || log.loss || is_left_empty))) QDEDUP_TRY(store_loss(log, *match));
  if (is_empty) {  // matched again when it changes
    log.state = Empty{};
    log.problem.reset();
    if (!has_descriptors()) close(log);
    return {};
  }
  auto& fresh = std::get<Fresh>(log.state);
  fresh.looks_new = is_new;
  if (is_new && newcomers == Newcomers::wait) return {};
  fresh.in_doubt = is_new && (is_in_doubt(log, *match) || repeats_one_in_doubt(log));
  if (fresh.in_doubt) return {};
  if (match->use == LogMatcher::Use::shorter) return take_over(log, *std::move(match));
  if (is_new && match->record.possible_twice) note_twice(log);
  if (match->use == LogMatcher::Use::mine) return go_on_with(log, *std::move(match));
  QDEDUP_TRY(pass_by(log, *match));
  log.not_before = now_ + patience * (clock_.steady_now() - started);
  return {};
}

// Stores what is known of a log, without lines.
Status LogFollower::store(db::LogRecord& record) {
  db::MinedStretch nothing;
  nothing.log = record;
  nothing.begin_offset = record.offset;
  QDEDUP_ASSIGN_OR_RETURN(record.id, writer_.write([&](db::Store& store) {
    return db::Evidence(store).append(nothing, timestamp(clock_.now()));
  }));
  matcher_.update(record);
  return {};
}

// Call this before a copy of the old content takes over the old record; otherwise the loss would be
// forgotten.
Status LogFollower::store_loss(FollowedLog& log, LogMatcher::Match& match) {
  note_loss(log);
  if (match.record.possible_twice) note_twice(log);
  match.record.possible_loss = true;
  QDEDUP_TRY(store(match.record));
  if (log.record_id != 0) free_copies_of(log.record_id);
  log.record_id = match.record.id;
  log.loss = false;
  return {};
}

// A file that could not be read to its end is gone.
Status LogFollower::store_unread(FollowedLog& log) {
  note_loss(log);
  db::LogRecord record;
  record.path = log.path;
  record.device = log.seen.identity.device;
  record.inode = log.seen.identity.inode;
  record.born_ns = log.seen.born_ns;
  if (const db::LogRecord* known = matcher_.find(log.record_id)) record = *known;
  record.possible_loss = true;
  QDEDUP_TRY(store(record));
  log.record_id = record.id;  // where another log's fails, this comes again
  return {};
}

// There is nothing to mine in it until it changes.
Status LogFollower::pass_by(FollowedLog& log, LogMatcher::Match& match) {
  const bool is_copy = match.use == LogMatcher::Use::copy;
  const auto in_place_of_another = [&] {
    return std::ranges::any_of(logs_, [&](const auto& entry) {
      return entry.second.record_id == match.record.id && !entry.second.in_sight;
    });
  };
  if (is_copy && !log.copy_reported && !in_place_of_another()) {
    news_.push_back({LogNews::Kind::copy, log.path, log.path + ": repeats a log that is mined already"});
  }
  log.copy_reported = is_copy;
  log.problem.reset();
  if (is_copy) {
    put_away(log, Copy{match.record.id});
  } else if (match.use == LogMatcher::Use::wait) {
    put_away(log, Incomplete{});
  } else {
    if (match.moved && match.record.id != 0) QDEDUP_TRY(store(match.record));
    note_read(log);
    put_away(log, Done{match.record.id});
  }
  return {};
}

// It stays known where it goes, and whatever takes its place loses nothing.
Status LogFollower::leave_out(FollowedLog& log, LogMatcher::Match& match) {
  const bool is_whole = match.use == LogMatcher::Use::mine || match.use == LogMatcher::Use::done;
  if (is_whole && match.moved) QDEDUP_TRY(store(match.record));
  if (!std::exchange(log.left_out_reported, true)) {
    news_.push_back({LogNews::Kind::left_out, log.path,
                     log.path + ": was forgotten by " + match.record.forgotten_by + " and is left out"});
  }
  note_read(log);
  log.record_id = 0;
  log.loss = false;
  log.problem.reset();
  put_away(log, LeftOut{match.record.id});
  return {};
}

Status LogFollower::go_on_with(FollowedLog& log, LogMatcher::Match match) {
  const bool is_new = match.record.id == 0;
  const bool hides_another = is_new && match.record.possible_loss && !accounted_.contains(log.path);
  const bool was_another = log.record_id != 0 && log.record_id != match.record.id;
  if (hides_another || was_another) note_loss(log);
  if (was_another) free_copies_of(log.record_id);
  match.record.possible_loss = log.loss || (!is_new && match.record.possible_loss);
  match.moved = match.moved || log.loss;
  log.record_id = match.record.id;
  log.state.emplace<Reading>(Reading{LogMining(std::move(match), {parser_, settings_, writer_, clock_})});
  log.mined = log.reading()->mining.file().bytes_read();
  if (options_.to_end) return read_to_end(log);
  return budget_ > 0 || log.loss ? read(log, small_bytes) : Status();
}

// This file is now the log, although more of that was mined than the file contains. Unless the log's own file
// was read to its end before it disappeared, something may be lost.
Status LogFollower::take_over(FollowedLog& log, LogMatcher::Match match) {
  if (match.brief || (!match.cut && !ended_.contains(match.record.id))) {
    note_loss(log);
    match.record.possible_loss = true;
  }
  LogMining mining(std::move(match), {parser_, settings_, writer_, clock_});
  QDEDUP_TRY(mining.take_over());
  matcher_.update(mining.record());
  note_read(log);
  log.record_id = 0;
  log.loss = false;
  log.problem.reset();
  put_away(log, Done{.record_id = mining.record().id, .is_shorter = true});
  return {};
}

Status LogFollower::read_to_end(FollowedLog& log) {
  while (log.is<Reading>() && !log.is_finished()) QDEDUP_TRY(read(log, options_.stretch_bytes));
  return {};
}

Status LogFollower::read(FollowedLog& log, std::size_t bytes) {
  LogMining& mining = log.reading()->mining;
  const auto block_done = [&] { options_.progress(passed_ + mining.file().bytes_read()); };
  const std::uint64_t begin = mining.record().offset;
  QDEDUP_ASSIGN_OR_RETURN(const LogMining::Stretch stretch,
                          mining.mine({bytes, options_.stretch_lines}, block_done));
  log.counts += stretch.counts;
  counters_.totals += stretch.counts.totals();
  counters_.bytes_read += stretch.bytes;
  counters_.bytes_mined += mining.record().offset - begin;
  budget_ -= std::min(budget_, stretch.bytes);
  if (stretch.cut) return start_after_cut(log);
  log.record_id = mining.record().id;
  if (log.record_id != 0) matcher_.update(mining.record());
  if (stretch.first_gap) {
    report_loss(log,
                "has NUL bytes among its lines; what stood there, or is written there later, is not read");
  }
  if (stretch.problem) {
    fail(log, *stretch.problem);
    return {};
  }
  log.loss = false;
  log.problem.reset();
  log.mined = mining.file().bytes_read() + mining.file().reserved_bytes();
  report_all_rejected(log);
  if (stretch.at_end) finish(log);
  return {};
}

void LogFollower::report_all_rejected(FollowedLog& log) {
  const LineTotals& totals = log.reading()->mining.record().totals;
  if (!totals.is_wrong_file() || std::exchange(log.all_rejected_reported, true)) return;
  const auto most =
      std::ranges::max_element(totals.rejected, {}, [](const auto& entry) { return entry.second; });
  news_.push_back({LogNews::Kind::all_rejected, log.path,
                   log.path + ": all of its " + std::to_string(totals.lines) +
                       " lines so far were rejected, most as " + most->first +
                       "; does [logs] format fit it? `qdedup mine --dry-run` on it tells more"});
}

Status LogFollower::start_after_cut(FollowedLog& log) {
  note_loss(log);
  ended_.insert(log.record_id);
  free_copies_of(std::exchange(log.record_id, 0));
  log.mined = 0;
  log.start_over();
  return begin(log, Newcomers::begin);
}

void LogFollower::finish(FollowedLog& log) {
  Reading& reading = *log.reading();
  if (reading.mining.file().cut_off()) {
    note_unread(log);
  } else {
    note_read(log);
  }
  if (reading.mining.file().compression() == logs::Compression::none) {
    reading.confirmed = reading.at_end || log.is_settled(now_, options_.settle_wait);
    reading.at_end = true;
    reading.mining.go_back();
    reading.look_again.reset();
    if (reading.mining.file().reserved_bytes() > 0 && !options_.to_end)
      reading.look_again = now_ + options_.settle_wait;
    return;
  }
  if (reading.mining.file().cut_off()) return put_away(log, Incomplete{.is_mined = true});
  put_away(log,
           Done{std::exchange(log.record_id, 0)});  // a file that takes its place replaces nothing unread
}

// Damage is final until the file changes; after other errors it is tried again.
void LogFollower::fail(FollowedLog& log, const Error& error) {
  const bool was_reading = log.is<Reading>();
  log.problem = error;
  if (error.code == ErrorCode::data) return put_away(log, Damaged{});
  log.start_over();
  log.not_before = now_ + options_.settle_wait;
  if (!log.in_sight) return;
  if (was_reading) note_unread(log);
  close(log);
}

// It is tried again after a while that depends on how long the attempt took.
void LogFollower::fail_attempt(FollowedLog& log, const Error& error, Time::duration spent) {
  fail(log, error);
  log.not_before = std::max(log.not_before, now_ + patience * spent);
}

// What takes its place, or comes after a cut, hides nothing that was not read.
void LogFollower::note_read(FollowedLog& log) {
  accounted_.insert(log.path);
  log.accounted = true;
}

void LogFollower::note_unread(FollowedLog& log) {
  accounted_.erase(log.path);
  log.accounted = false;
}

void LogFollower::note_loss(FollowedLog& log) {
  if (log.loss) return;
  log.loss = true;
  report_loss(
      log,
      "was cut or replaced, or holds less than was mined of it; what was written in between may be lost");
}

void LogFollower::report_loss(const FollowedLog& log, const char* how) {
  ++counters_.possible_loss;
  news_.push_back({LogNews::Kind::possible_loss, log.path, log.path + ": " + how});
}

void LogFollower::note_twice(FollowedLog& log) {
  Fresh* fresh = std::get_if<Fresh>(&log.state);
  if (fresh != nullptr && std::exchange(fresh->is_twice_reported, true)) return;
  news_.push_back({LogNews::Kind::possible_twice, log.path,
                   log.path + ": shares lines with a log that was mined; some of them may count twice"});
}

// The log that they repeat is gone, so one of them may have to take its place.
void LogFollower::free_copies_of(std::int64_t record_id) {
  for (auto& [identity, log] : logs_) {
    const Copy* copy = std::get_if<Copy>(&log.state);
    const LeftOut* left_out = std::get_if<LeftOut>(&log.state);
    const bool is_of_it = (copy != nullptr && copy->record_id == record_id) ||
                          (left_out != nullptr && left_out->record_id == record_id);
    if (!is_of_it) continue;
    log.start_over();
    log.not_before = {};
  }
}

}  // namespace qdedup::iteration
