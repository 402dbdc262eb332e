// The part of Following that matches and mines.

#include <algorithm>
#include <string_view>
#include <tuple>

#include "iteration/following.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t small_bytes = std::size_t{1} << 20U;  // are read without waiting for the others
constexpr std::size_t most_unfinished = 8;                  // logs at once, for each of them takes memory
constexpr int patience = 10;  // what took a second is not tried again for so many

}  // namespace

Status Following::work() {
  budget_ = options_.stretch_bytes;
  QDEDUP_TRY(read_grown());
  QDEDUP_TRY(begin_fresh());
  return read_oldest();
}

// Those that have something to do, the oldest first.
std::vector<FollowedLog*> Following::wanting(Standing standing) {
  std::vector<FollowedLog*> wanting;
  for (auto& [identity, log] : logs_) {
    if (log.standing == standing && log.wants_turn(now_, options_.settle_wait)) wanting.push_back(&log);
  }
  std::ranges::sort(wanting, {}, [](const FollowedLog* log) {
    return std::pair(log->seen.modified_ns, std::string_view(log->path));
  });
  return wanting;
}

// The small ones, and the newest; something is left for fresh ones.
Status Following::read_grown() {
  const std::vector<FollowedLog*> grown = wanting(Standing::reading);
  for (FollowedLog* log : grown) {
    const bool has_turn = log->unread() <= small_bytes || log == grown.back();
    if (has_turn && budget_ > options_.stretch_bytes / 2) QDEDUP_TRY(read(*log, small_bytes));
  }
  return {};
}

// What is known comes first. New logs then give their first lines at once, the longest first, so that copies
// of them are known for what they are.
Status Following::begin_fresh() {
  std::vector<FollowedLog*> fresh = wanting(Standing::fresh);
  std::ranges::stable_sort(fresh, {}, [](const FollowedLog* log) { return ~log->seen.size; });
  std::stable_partition(fresh.begin(), fresh.end(),
                        [&](const FollowedLog* log) { return matcher_.is_known(log->seen); });
  for (FollowedLog* log : fresh) {
    if (log->looks_new) continue;
    QDEDUP_TRY(begin(*log, Newcomers::wait));
    if (log->looks_new && !has_descriptors()) close(*log);
    close_idle();
  }
  std::erase_if(fresh, [](const FollowedLog* log) { return !log->looks_new; });
  std::ranges::sort(fresh, {}, [](const FollowedLog* log) {
    return std::tuple(log->compressed, ~log->seen.size, log->seen.modified_ns, log->seen.born_ns,
                      std::string_view(log->path));
  });
  std::size_t unfinished = wanting(Standing::reading).size();
  for (FollowedLog* log : fresh) {
    const bool is_small = !log->compressed && log->seen.size <= small_bytes;
    const bool has_room = is_small || unfinished < most_unfinished;
    if (budget_ == 0 || !has_room) continue;
    QDEDUP_TRY(begin(*log, Newcomers::begin));
    if (log->standing == Standing::reading && !log->is_finished()) ++unfinished;
  }
  return {};
}

// Does the new file stand where a log was mined that may yet turn up under another name?
bool Following::is_in_doubt(const FollowedLog& log) const {
  if (accounted_.contains(log.path) || now_ - log.first_seen >= options_.rotate_wait) return false;
  return matcher_.hides_another(log.path) && std::ranges::any_of(logs_, [&](const auto& entry) {
           const FollowedLog& other = entry.second;
           return &other != &log && other.standing == Standing::fresh && !other.is_finished() &&
                  !other.looks_new;
         });
}

// Then it has to wait as well, or it would count as the original.
bool Following::repeats_one_in_doubt(const FollowedLog& log) const {
  return std::ranges::any_of(logs_, [&](const auto& entry) {
    const FollowedLog& other = entry.second;
    if (!other.in_doubt || !other.file || &other == &log) return false;
    const Result<bool> copy = logs::is_copy_of_beginning(log.file, other.file);
    return copy.ok() && *copy;
  });
}

Status Following::read_oldest() {
  const std::vector<FollowedLog*> unfinished = wanting(Standing::reading);
  return unfinished.empty() ? Status() : read(*unfinished.front(), options_.stretch_bytes);
}

Status Following::begin(FollowedLog& log, Newcomers newcomers) {
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
  const bool is_empty = match->use == LogMatcher::Use::empty;
  log.looks_new = match->is_new();
  const bool was_cut = match->cut && !accounted_.contains(log.path);
  if (log.looks_new && (was_cut || log.loss)) QDEDUP_TRY(store_loss(log, *match));
  if (is_empty) {
    leave_empty(log);
    return {};
  }
  if (log.looks_new && newcomers == Newcomers::wait) return {};
  log.in_doubt = log.looks_new && (is_in_doubt(log) || repeats_one_in_doubt(log));
  if (log.in_doubt) return {};
  if (match->use == LogMatcher::Use::mine) return go_on_with(log, *std::move(match));
  pass_by(log, *match);
  log.not_before = now_ + patience * (clock_.steady_now() - started);
  return {};
}

// Before a copy of the old content takes the old record over, so that the loss is not forgotten.
Status Following::store_loss(FollowedLog& log, LogMatcher::Match& match) {
  note_loss(log);
  match.record.possible_loss = true;
  db::MinedStretch nothing;
  nothing.log = match.record;
  const Result<std::int64_t> id = store_.append(nothing, timestamp(clock_.now()));
  if (!id.ok()) return id.error();
  match.record.id = *id;
  matcher_.update(match.record);
  if (log.record_id != 0) free_copies_of(log.record_id);
  log.record_id = *id;
  log.loss = false;
  return {};
}

// What it is will be seen when it changes.
void Following::leave_empty(FollowedLog& log) {
  log.looks_new = false;
  log.finished = log.seen;
  if (!has_descriptors()) close(log);
}

// There is nothing to mine in it, until it changes.
void Following::pass_by(FollowedLog& log, const LogMatcher::Match& match) {
  const bool is_copy = match.use == LogMatcher::Use::copy;
  const bool in_place_of_another = std::ranges::any_of(logs_, [&](const auto& entry) {
    return entry.second.record_id == match.record.id && !entry.second.in_sight;
  });
  if (is_copy && log.copy_of == 0 && !in_place_of_another) {
    news_.push_back({LogNews::Kind::copy, log.path, log.path + ": repeats a log that is mined already"});
  }
  log.copy_of = is_copy ? match.record.id : 0;
  log.problem.reset();
  if (match.use == LogMatcher::Use::done) accounted_.insert(log.path);
  close(log);
  log.put_away(is_copy                              ? Standing::copy
               : match.use == LogMatcher::Use::done ? Standing::done
                                                    : Standing::incomplete);
}

Status Following::go_on_with(FollowedLog& log, LogMatcher::Match match) {
  const bool is_new = match.record.id == 0;
  const bool hides_another = is_new && match.record.possible_loss && !accounted_.contains(log.path);
  const bool was_another = log.record_id != 0 && log.record_id != match.record.id;
  if (!log.covered && (hides_another || was_another)) note_loss(log);
  if (was_another) free_copies_of(log.record_id);
  match.record.possible_loss = log.loss || (!is_new && match.record.possible_loss);
  match.moved = match.moved || log.loss;
  log.record_id = match.record.id;
  log.standing = Standing::reading;
  log.finished.reset();
  log.mining.emplace(std::move(match), MiningMeans{parser_, settings_, store_, clock_});
  if (log.looks_new && log.covered) QDEDUP_TRY(pass_over(log));
  const bool has_turn = log.standing == Standing::reading && (budget_ > 0 || log.loss);
  return has_turn ? read(log, small_bytes) : Status();
}

Status Following::pass_over(FollowedLog& log) {
  const Result<bool> passed = log.mining->pass_over(*log.covered, log.seen);
  if (!passed.ok()) return passed.error();
  log.covered.reset();
  if (!*passed) {
    log.start_over();
    return {};
  }
  log.record_id = log.mining->record().id;
  matcher_.update(log.mining->record());
  return {};
}

Status Following::read(FollowedLog& log, std::size_t bytes) {
  const Result<LogMining::Stretch> stretch = log.mining->mine({bytes, options_.stretch_lines}, [] {});
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

// The new record is stored before a copy of the old content takes the old one over, so that the loss is not
// forgotten.
Status Following::start_after_cut(FollowedLog& log) {
  note_loss(log);
  free_copies_of(std::exchange(log.record_id, 0));
  log.start_over();
  return begin(log, Newcomers::begin);
}

void Following::finish(FollowedLog& log) {
  log.confirmed = log.is_finished() || log.is_settled(now_, options_.settle_wait);
  log.finished = log.seen;
  accounted_.insert(log.path);
  if (log.mining->file().compression() == logs::Compression::none) {
    log.mining->release_memory();
    return;
  }
  const bool incomplete = log.mining->file().cut_off();
  if (!incomplete) log.record_id = 0;  // what comes to its place replaces nothing that is missed
  close(log);
  log.put_away(incomplete ? Standing::incomplete : Standing::done);
}

// Damage stays until the file changes; anything else is tried again.
void Following::fail(FollowedLog& log, const Error& error) {
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

void Following::note_loss(FollowedLog& log) {
  if (log.loss) return;
  log.loss = true;
  ++counters_.possible_loss;
  news_.push_back({LogNews::Kind::possible_loss, log.path,
                   log.path + ": was cut or replaced; what was written in between may be lost"});
}

// The log that they repeat is gone: one of them may have to take its place.
void Following::free_copies_of(std::int64_t record_id) {
  for (auto& [identity, log] : logs_) {
    if (log.standing != Standing::copy || log.copy_of != record_id) continue;
    log.start_over();
    log.covered = matcher_.mined_up_to(record_id);
    log.not_before = {};
  }
}

}  // namespace qdedup::iteration
