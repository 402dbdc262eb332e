#include "daemon/slot_keeper.h"

#include <algorithm>
#include <utility>

#include "schedule/due.h"

namespace qdedup::daemon {

using std::chrono::seconds;
using std::chrono::steady_clock;
using std::chrono::sys_seconds;

namespace {

// The clock may be set, and the machine may sleep, which timers do not notice.
constexpr seconds longest_wait{30};
constexpr seconds first_pause{60};
constexpr seconds longest_pause{3600};

}  // namespace

SlotKeeper::SlotKeeper(boost::asio::io_context& loop, schedule::Schedule schedule, const Clock& clock,
                       Actions actions)
    : schedule_(schedule), clock_(clock), actions_(std::move(actions)), timer_(loop) {}

void SlotKeeper::stop() {
  stopping_ = true;
  timer_.cancel();
}

void SlotKeeper::retry() {
  if (!acting_ && pause_after_failure_ > seconds(0)) check_again(seconds(0));
}

void SlotKeeper::use(schedule::Schedule schedule) {
  schedule_ = schedule;
  if (!acting_) check_again(seconds(0));
}

sys_seconds SlotKeeper::now() const { return std::chrono::floor<seconds>(clock_.now()); }

std::optional<sys_seconds> SlotKeeper::next_slot() const { return schedule_.next_slot(now()); }

void SlotKeeper::check_again(steady_clock::duration pause) {
  if (stopping_) return;
  timer_.expires_after(pause);
  timer_.async_wait([this](boost::system::error_code failure) {
    if (!failure) check();
  });
}

steady_clock::duration SlotKeeper::until_next_check() const {
  const std::optional<sys_seconds> next = next_slot();
  if (!next) return longest_wait;
  return std::clamp<steady_clock::duration>(*next - clock_.now(), seconds(0), longest_wait);
}

void SlotKeeper::check() {
  const Result<std::vector<sys_seconds>> recorded = actions_.recorded();
  if (!recorded.ok()) {
    dealt_with(recorded.error());
    return;
  }
  const schedule::Due due = schedule::due(schedule_, now(), *recorded);
  if (due.action == schedule::Due::Action::nothing) {
    check_again(until_next_check());
    return;
  }
  acting_ = true;
  const auto& act = due.action == schedule::Due::Action::run ? actions_.iterate : actions_.note;
  act(due.slot, [this](const Status& status) { dealt_with(status); });
}

void SlotKeeper::dealt_with(const Status& status) {
  acting_ = false;
  pause_after_failure_ =
      status.ok() ? seconds(0) : std::clamp(2 * pause_after_failure_, first_pause, longest_pause);
  check_again(status.ok() ? until_next_check() : pause_after_failure_);
}

}  // namespace qdedup::daemon
