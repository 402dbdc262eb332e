#include <algorithm>
#include <limits>
#include <utility>

#include "iteration/log_matching.h"

// Logs that a file shares lines with.
namespace qdedup::iteration {
namespace {

// A log whose beginning a file may share.
struct SharedCandidate {
  const db::LogRecord* record;
  std::optional<SharedLines> estimate;       // from what is kept in memory
  std::optional<SharedBeginning> beginning;  // from the file and all marks

  [[nodiscard]] bool is_certain() const { return beginning || (estimate && estimate->bytes == 0); }
  [[nodiscard]] std::uint64_t bytes() const {
    if (beginning) return beginning->file.offset();
    return estimate ? estimate->bytes : std::numeric_limits<std::uint64_t>::max();
  }
  [[nodiscard]] bool exact() const { return beginning ? beginning->exact : estimate && estimate->exact; }
};

// The log that a file shares most with; of several, the last one for which that is known exactly.
SharedCandidate* most_shared(std::vector<SharedCandidate>& candidates) {
  SharedCandidate* most = nullptr;
  for (SharedCandidate& candidate : candidates) {
    const bool is_more = most == nullptr || candidate.bytes() > most->bytes() ||
                         (candidate.bytes() == most->bytes() && candidate.exact());
    if (is_more) most = &candidate;
  }
  return most;
}

}  // namespace

// Whether a packed file that is cut off may yet contain what was mined of the log.
Result<bool> LogMatcher::may_become(FileBeginning& begins, const db::LogRecord& record) {
  if (!begins.may_share_lines(record)) return false;
  QDEDUP_TRY(beginnings_.prepare(begins, {&record}));
  const auto shared = begins.shared_with(record, beginnings_.first_marks(record.id), is_met(record));
  return !shared || !shared->differs;
}

// `match`, or the one with a log that it shares more with.
LogMatcher::Found LogMatcher::match_more(FileBeginning& begins, Found match, const std::string& path) {
  Found shared = match_beginning(begins, (*match)->file.file(), path);
  if (!shared.ok() || !shared->has_value()) return shared.ok() ? std::move(match) : std::move(shared);
  return (*shared)->file.offset() > (*match)->file.offset() ? std::move(shared) : std::move(match);
}

// Matches the log that it shares most with. Only for the best candidates is the file read with all marks.
LogMatcher::Found LogMatcher::match_beginning(FileBeginning& begins, const File& file,
                                              const std::string& path) {
  std::vector<const db::LogRecord*> likely;
  for (const db::LogRecord& record : known_) {
    if (record.offset > 0 && begins.may_share_lines(record)) likely.push_back(&record);
  }
  if (likely.empty()) return std::optional<Match>();
  QDEDUP_TRY(beginnings_.prepare(begins, likely));
  std::vector<SharedCandidate> candidates;
  candidates.reserve(likely.size());
  for (const db::LogRecord* record : likely) {
    candidates.push_back({record,
                          begins.shared_with(*record, beginnings_.first_marks(record->id), is_met(*record)),
                          std::nullopt});
  }
  SharedCandidate* most = most_shared(candidates);
  while (!most->is_certain()) {
    QDEDUP_ASSIGN_OR_RETURN(most->beginning, beginnings_.read_shared(file, *most->record, max_line_bytes_));
    most = most_shared(candidates);
  }
  if (most->bytes() > 0) return match_shared(*most->record, *std::move(most->beginning), path);
  return most->exact() ? Found(std::nullopt) : match_uncertain(begins.head(), *most->record, file, path);
}

LogMatcher::Found LogMatcher::match_shared(const db::LogRecord& record, SharedBeginning shared,
                                           const std::string& path) {
  const logs::LogMark mark = shared.file.mark();
  const logs::FileSignature& opened = shared.file.signature_when_opened();
  const bool cut = was_cut(shared.file.file(), path);
  const bool is_known = cut || may_be_of(record, opened) || held_log(opened);
  QDEDUP_ASSIGN_OR_RETURN(const Presence original, present(record));
  const bool there = original.is_there;
  const bool is_weak = !shared.several && (2 * mark.offset < record.offset || record.is_forgotten());
  // If a copy holds the log, this file was more likely emptied than cut back to one line.
  if (is_weak && is_known && there) return match_perhaps_twice(record, shared.file.file(), path);
  // A line of a forgotten log that never was in this file is not its line, even if the file was cut.
  const bool is_own = may_be_of(record, opened) || held_log(opened, record.id);
  if (is_weak && shared.more && record.is_forgotten() && !is_own)
    return match_perhaps_twice(record, shared.file.file(), path);
  if (there && !shared.more) return std::optional(Match{std::move(shared.file), record, Use::copy});
  bool goes_on = shared.several && mark.offset == record.offset && there;
  if (goes_on) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, holds_more(original, record));
    goes_on = !more;
  }
  if (!shared.more) {
    Match match = matched(std::move(shared.file), record, path, Use::shorter);
    match.cut = cut;
    match.brief = is_weak;
    return std::optional(std::move(match));
  }
  if (!is_known && (is_weak || (there && !goes_on)))
    return match_perhaps_twice(record, shared.file.file(), path);
  Match match = matched(std::move(shared.file), {}, path);
  match.record.offset = mark.offset;
  match.record.head_hash = mark.head_hash;
  match.record.tail_hash = mark.tail_hash;
  match.record.first_line = record.first_line;
  match.record.possible_loss = (!there && !record.is_forgotten()) || cut || hides_another(path);
  match.record.possible_twice = !shared.exact && !record.is_forgotten();
  match.cut = cut;
  return std::optional(std::move(match));
}

// It is no longer known how much the file shares with a log that begins the same way.
LogMatcher::Found LogMatcher::match_uncertain(const logs::LogHead& head, const db::LogRecord& record,
                                              const File& file, const std::string& path) {
  const bool is_short = std::min<std::uint64_t>(head.bytes.size(), record.offset) < logs::LogMark::window;
  const bool is_same_line = record.first_line != 0;
  if (is_short && !is_same_line && !may_be_of(record, file->signature_when_opened())) {
    return std::optional<Match>();
  }
  return match_perhaps_twice(record, file, path);
}

// A new log, which may repeat lines of that one; nothing of a forgotten log counts.
LogMatcher::Found LogMatcher::match_perhaps_twice(const db::LogRecord& record, const File& file,
                                                  const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(Match match, match_new(file, path));
  match.record.possible_twice = !record.is_forgotten();
  return std::optional(std::move(match));
}

// Matches by what it shares with another log, or by its own record, which only says that something was lost:
// whichever covers more.
LogMatcher::Found LogMatcher::match_part(FileBeginning& begins, const File& file, const std::string& path) {
  Found own = match_identity(file, path, OwnRecord::of_a_loss);
  if (!own.ok()) return own;
  Found shared = match_beginning(begins, file, path);
  if (!shared.ok() || !own->has_value()) return shared;
  const bool knows_more = shared->has_value() &&
                          ((*shared)->use != Use::mine || (*shared)->record.offset > (*own)->record.offset);
  return knows_more ? std::move(shared) : std::move(own);
}

// Whether the file contains what was mined of a log that is gone, except for its beginning, which somebody
// may have changed.
Result<bool> LogMatcher::repeats_known(const FileBeginning& begins, const Match& match) {
  const logs::FileSignature& opened = match.file.signature_when_opened();
  std::vector<const db::LogRecord*> replaced;
  for (const db::LogRecord& record : known_) {
    if (record.is_forgotten()) continue;
    const bool is_in_place = record.path == match.record.path || may_be_of(record, opened);
    if (is_in_place) replaced.push_back(&record);
    if ((is_in_place || !is_met(record)) && begins.repeats_end(record, match.record.offset)) return true;
  }
  QDEDUP_TRY(beginnings_.keep(replaced));
  return std::ranges::any_of(replaced, [&](const db::LogRecord* record) {
    return begins.repeats_lines(beginnings_.first_marks(record->id), match.record.offset);
  });
}

}  // namespace qdedup::iteration
