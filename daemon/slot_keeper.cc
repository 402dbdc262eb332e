#include "daemon/slot_keeper.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "base/error.h"

namespace qdedup::daemon {

using std::chrono::seconds;
using std::chrono::steady_clock;
using std::chrono::sys_seconds;

namespace {

// Timers notice neither that the clock was set nor that the machine slept.
constexpr seconds max_wait{30};
constexpr seconds min_pause{60};
constexpr seconds max_pause{3600};

}  // namespace

void LogWait::note(const Progress& progress, Time looked_at) {
  if (looked_at < begun_) return;
  if (std::exchange(has_looked_, true) && measure(progress)) return;
  goals_.clear();
  for (const auto& [log, at] : progress) goals_[log] = at.size;
  (void)measure(progress);
}

// False if one of the logs vanished or was truncated before it was mined.
bool LogWait::measure(const Progress& progress) {
  bytes_ = 0;
  bool all_there = true;
  std::erase_if(goals_, [&](const auto& entry) {
    const auto& [log, goal] = entry;
    const auto found = progress.find(log);
    const bool is_there = found != progress.end() && found->second.size >= goal;
    all_there = all_there && is_there;
    if (!is_there || found->second.mined >= goal) return true;
    bytes_ += goal - found->second.mined;
    return false;
  });
  return all_there;
}

SlotKeeper::SlotKeeper(boost::asio::io_context& loop, schedule::Schedule schedule, seconds patience,
                       const Clock& clock, Actions actions)
    : schedule_(schedule), patience_(patience), clock_(clock), actions_(std::move(actions)), timer_(loop) {}

void SlotKeeper::stop() {
  stopping_ = true;
  timer_.cancel();
}

void SlotKeeper::retry() {
  if (acting_ || pause_after_failure_ > seconds(0)) check_again(seconds(0));
}

void SlotKeeper::logs_moved() {
  if (log_wait_) check_again(seconds(0));
}

void SlotKeeper::use(schedule::Schedule schedule, seconds patience) {
  schedule_ = schedule;
  patience_ = patience;
  check_again(seconds(0));
}

sys_seconds SlotKeeper::now() const { return std::chrono::floor<seconds>(clock_.now()); }

std::optional<sys_seconds> SlotKeeper::next_slot() const { return schedule_.next_slot(now()); }

std::optional<SlotKeeper::Waiting> SlotKeeper::waiting() const {
  if (!log_wait_) return std::nullopt;
  return Waiting{*waiting_slot_, log_wait_->bytes()};
}

void SlotKeeper::check_again(steady_clock::duration pause) {
  if (stopping_) return;
  timer_.expires_after(pause);
  timer_.async_wait([this](boost::system::error_code failure) {
    if (!failure) check();
  });
}

steady_clock::duration SlotKeeper::until_next_check() const {
  const std::optional<sys_seconds> next = next_slot();
  if (log_wait_) return std::min<steady_clock::duration>(patience_, max_wait);
  if (!next) return max_wait;
  return std::clamp<steady_clock::duration>(*next - clock_.now(), seconds(0), max_wait);
}

// A slot that comes while another one is waiting takes over its wait. Otherwise logs that are never mined to
// the end would make every slot wait.
bool SlotKeeper::waits_for_logs(sys_seconds slot) {
  if (ready_slot_ == slot || patience_ == seconds(0)) return false;
  if (!log_wait_) {
    log_wait_.emplace(clock_.steady_now());
    reported_ = false;
  }
  waiting_slot_ = slot;
  actions_.look_at_logs(*log_wait_);
  const std::string bytes = std::to_string(log_wait_->bytes()) + " bytes of logs";
  const bool patient = clock_.steady_now() - log_wait_->begun() < patience_;
  if (!log_wait_->is_over() && patient) {
    if (log_wait_->bytes() > 0 && !std::exchange(reported_, true)) {
      actions_.report("the iteration for the slot of " + timestamp(slot) + " waits until " + bytes +
                      " are mined");
    }
    return true;
  }
  if (!log_wait_->is_over()) {
    actions_.report("the iteration for the slot of " + timestamp(slot) + " waits no longer; " + bytes +
                    " are left for the next one");
  }
  ready_slot_ = slot;
  return false;
}

// While something is under way, the next check follows it.
void SlotKeeper::check() {
  again_ = acting_;
  if (std::exchange(acting_, true)) return;
  attempt([this] {
    actions_.recorded([this](const Recorded& recorded) { attempt([&] { act_if_due(recorded); }); });
  });
}

// An exception (out of memory, for example) is a failure like others, after which it is tried again.
void SlotKeeper::attempt(const std::function<void()>& step) {
  try {
    step();
  } catch (const std::exception& exception) {
    const Error error = exception_error(exception);
    actions_.report("the schedule waits: " + error.message);
    finished(error);
  }
}

void SlotKeeper::act_if_due(const Recorded& recorded) {
  if (stopping_) return;
  if (!recorded.ok()) {
    finished(recorded.error());
    return;
  }
  const schedule::Due due = schedule::due(schedule_, now(), *recorded);
  const bool is_due = due.action != schedule::Due::Action::nothing;
  const bool runs = due.action == schedule::Due::Action::run;
  const bool waits = runs && waits_for_logs(due.slot);
  if (!waits) log_wait_.reset();
  if (!is_due) actions_.nothing_due();
  if (!is_due || waits) {
    finished({});
    return;
  }
  const auto& act = runs ? actions_.iterate : actions_.note;
  act(due.slot, [this](const Status& status) { finished(status); });
}

void SlotKeeper::finished(const Status& status) {
  acting_ = false;
  pause_after_failure_ =
      status.ok() ? seconds(0) : std::clamp(2 * pause_after_failure_, min_pause, max_pause);
  const auto pause = status.ok() ? until_next_check() : steady_clock::duration(pause_after_failure_);
  check_again(std::exchange(again_, false) ? seconds(0) : pause);
}

}  // namespace qdedup::daemon
