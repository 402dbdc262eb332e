#include "iteration/followed_log.h"

#include <algorithm>

#include "logs/unpack.h"

namespace qdedup::iteration {

void FollowedLog::observe(const logs::FileSignature& now_seen, Time now) {
  if (now_seen == seen) return;
  seen = now_seen;
  seen_since = now;
  confirmed = false;
  covered.reset();
  const bool goes_on = standing == Standing::reading && !compressed;
  if (goes_on) return;
  start_over();
}

void FollowedLog::inspect() {
  compressed = false;
  if (!file) return;
  std::string first(logs::magic_bytes, '\0');
  const auto count = file->read_at(0, first);
  first.resize(count.ok() ? *count : 0);
  compressed = logs::compression_of(first) != logs::Compression::none;
}

bool FollowedLog::is_settled(Time now, std::chrono::milliseconds settle_wait) const {
  return now - seen_since >= settle_wait;
}

bool FollowedLog::wants_turn(Time now, std::chrono::milliseconds settle_wait) const {
  if (now < not_before) return false;
  if (standing == Standing::reading) {
    return !is_finished() || (!confirmed && is_settled(now, settle_wait));
  }
  if (standing != Standing::fresh || is_finished()) return false;
  return !compressed || is_settled(now, settle_wait);
}

std::uint64_t FollowedLog::unread() const {
  if (standing == Standing::fresh) return is_finished() ? 0 : seen.size;
  if (standing != Standing::reading) return 0;
  return seen.size - std::min(seen.size, mining->file().bytes_read());
}

void FollowedLog::start_over() {
  standing = Standing::fresh;
  mining.reset();
  finished.reset();
  looks_new = false;
  inspect();
}

void FollowedLog::put_away(Standing how) {
  standing = how;
  mining.reset();
  file.reset();
  finished = seen;
}

}  // namespace qdedup::iteration
