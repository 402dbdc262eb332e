#include "iteration/followed_log.h"

#include <algorithm>

#include "logs/byte_source.h"

namespace qdedup::iteration {

bool FollowedLog::is_settled(Time now, std::chrono::milliseconds settle_wait) const {
  return now - seen_since >= settle_wait;
}

bool FollowedLog::wants_turn(Time now, std::chrono::milliseconds settle_wait) const {
  if (now < not_before) return false;
  if (const log_state::Reading* open = reading()) {
    return !open->at_end || (!open->confirmed && is_settled(now, settle_wait)) ||
           (open->look_again && now >= *open->look_again);
  }
  return is<log_state::Fresh>() && (!compressed || is_settled(now, settle_wait));
}

bool FollowedLog::is_unverified() const {
  if (!is<log_state::Fresh>() || !compressed) return false;
  return !file || !file->verified() || file->verified()->of != seen;
}

std::int64_t FollowedLog::record_at_rest() const {
  if (const auto* done = std::get_if<log_state::Done>(&state)) return done->record_id;
  const bool may_have_one =
      is<log_state::Resting>() || is<log_state::Incomplete>() || is<log_state::Damaged>();
  return may_have_one ? record_id : 0;
}

std::uint64_t FollowedLog::unread() const {
  return is<log_state::Fresh>() || reading() ? seen.size - std::min(seen.size, mined) : 0;
}

void FollowedLog::observe(const logs::FileSignature& now_seen, Time now) {
  if (now_seen == seen) return;
  if (now_seen.size < seen.size) mined = 0;
  seen = now_seen;
  seen_since = now;
  if (reading() && !compressed) {
    reading()->at_end = false;
    reading()->confirmed = false;
  } else {
    start_over();
  }
}

void FollowedLog::inspect() {
  compressed = false;
  if (!file) return;
  std::string first(logs::magic_bytes, '\0');
  const auto count = file->read_at(0, first);
  first.resize(count.ok() ? *count : 0);
  compressed = logs::compression_of(first) != logs::Compression::none || logs::other_packing(first);
}

void FollowedLog::start_over() {
  state = log_state::Fresh{};
  if (file) file->verification() = {};
  inspect();
}

}  // namespace qdedup::iteration
