#include "daemon/check_index.h"

#include <exception>
#include <new>
#include <utility>

namespace qdedup::daemon {
namespace {

using std::chrono::steady_clock;

// After a failure that may pass by itself.
constexpr std::chrono::seconds between_tries{10};

}  // namespace

CheckIndex::CheckIndex(db::StateFolder folder, Told told)
    : folder_(std::move(folder)), told_(std::move(told)), thread_([this] { work(); }) {}

CheckIndex::~CheckIndex() {
  begin_stop();
  thread_.join();
}

void CheckIndex::want(const Wanted& wanted) {
  const std::scoped_lock lock(mutex_);
  if (wanted == wanted_) return;
  wanted_ = wanted;
  failure_.reset();
  index_.reset();
  ask_anew();
}

void CheckIndex::ask_anew() {
  asked_ = wanted_.bytes > 0;
  changed_.notify_all();
}

std::shared_ptr<iteration::BankIndex> CheckIndex::of(const std::optional<FileIdentity>& bank_file) {
  std::shared_ptr<iteration::BankIndex> dropped;  // to be freed without the lock
  const std::scoped_lock lock(mutex_);
  if (index_ && bank_file_ != bank_file) dropped.swap(index_);
  if (is_due() && !building_ && !asked_) ask_anew();
  return index_;
}

// What does not fit (ErrorCode::config) is not tried again before the settings change.
bool CheckIndex::is_due() const {
  if (failure_) {
    return failure_->code != ErrorCode::config && steady_clock::now() - failed_at_ > between_tries;
  }
  return !index_ || index_->is_outgrown() || (index_->is_crowded() && two_fit());
}

// Two indexes must not take more than one may.
bool CheckIndex::two_fit() const { return 2 * index_->bytes() <= wanted_.bytes; }

CheckIndex::Report CheckIndex::report() const {
  const std::scoped_lock lock(mutex_);
  Report report;
  report.wanted = wanted_.bytes > 0;
  if (building_) report.building = heartbeat_.last();
  if (index_) {
    report.built_at = built_at_;
    report.questions = index_->size();
    report.bytes = index_->bytes();
  }
  if (failure_) report.failure = failure_->message;
  return report;
}

void CheckIndex::begin_stop() {
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

bool CheckIndex::stop(std::chrono::milliseconds patience) {
  begin_stop();
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [this] { return !building_; });
}

void CheckIndex::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || asked_; });
    if (stopping_) return;
    build_next(lock);
  }
}

void CheckIndex::build_next(std::unique_lock<std::mutex>& lock) {
  asked_ = false;
  building_ = true;
  heartbeat_.beat();
  const Wanted wanted = wanted_;
  std::shared_ptr<iteration::BankIndex> dropped;
  if (index_ && !two_fit()) dropped.swap(index_);
  lock.unlock();
  dropped.reset();
  std::optional<FileIdentity> bank_file;
  const Built built = build(wanted, bank_file);
  lock.lock();
  building_ = false;
  changed_.notify_all();
  if (stopping_ || wanted != wanted_) return;
  failure_ = built.ok() ? std::nullopt : std::optional(built.error());
  failed_at_ = steady_clock::now();
  if (built.ok()) {
    index_ = *built;
    bank_file_ = bank_file;
    built_at_ = steady_clock::now();
  }
  lock.unlock();
  told_(built);
  lock.lock();
}

CheckIndex::Built CheckIndex::build(const Wanted& wanted, std::optional<FileIdentity>& bank_file) {
  try {
    bank_file = identity_of(folder_.bank_path());
    Result<db::Bank> bank = db::Bank::open(folder_, db::Access::read_only);
    if (!bank.ok()) return std::move(bank).error();
    bank->on_activity([this] { heartbeat_.beat(); });
    return iteration::BankIndex::build(*bank, wanted.settings, {.bytes = wanted.bytes},
                                       [this] { return go_on(); });
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::busy, "out of memory"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::internal, std::string("internal error: ") + exception.what()};
  }
}

Status CheckIndex::go_on() {
  heartbeat_.beat();
  const std::scoped_lock lock(mutex_);
  return stopping_ || asked_ ? Status(Error{ErrorCode::busy, "is built no further"}) : Status();
}

}  // namespace qdedup::daemon
