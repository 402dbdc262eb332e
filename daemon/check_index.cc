#include "daemon/check_index.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

namespace qdedup::daemon {
namespace {

using std::chrono::steady_clock;

// After a failure that may be temporary.
constexpr std::chrono::seconds between_tries{10};

}  // namespace

std::optional<logs::FileIdentity> identity_of(const std::string& path) {
  const auto signature = logs::signature_of(path);
  if (!signature) return std::nullopt;
  return signature->identity;
}

CheckIndex::CheckIndex(db::StateFolder folder, OnBuilt on_built, const iteration::BankIndex::Limits& limits)
    : folder_(std::move(folder)),
      on_built_(std::move(on_built)),
      limits_(limits),
      thread_([this] { work(); }) {}

CheckIndex::~CheckIndex() {
  begin_stop();
  thread_.join();
}

void CheckIndex::want(const Wanted& wanted) {
  const std::scoped_lock lock(mutex_);
  if (wanted == wanted_) return;
  wanted_ = wanted;
  ++times_wanted_;
  failure_.reset();
  is_tight_ = false;
  index_.reset();
  request_build();
}

void CheckIndex::request_build() {
  requested_ = wanted_.bytes > 0;
  changed_.notify_all();
}

std::shared_ptr<iteration::BankIndex> CheckIndex::of(const std::optional<logs::FileIdentity>& bank_file) {
  std::shared_ptr<iteration::BankIndex> dropped;  // destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  if (index_ && bank_file_ != bank_file) dropped.swap(index_);
  if (is_due() && !building_ && !requested_ && pauses_ == 0) request_build();
  return index_;
}

// An index that does not fit (ErrorCode::config) is not tried again until the settings change.
bool CheckIndex::is_due() const {
  if (failure_) {
    return failure_->code != ErrorCode::config && steady_clock::now() - failed_at_ > between_tries;
  }
  return !index_ || index_->is_outgrown() || (index_->is_crowded() && two_fit());
}

// Two indexes together must not exceed the limit of one.
bool CheckIndex::two_fit() const { return !is_tight_ && 2 * index_->bytes() <= wanted_.bytes; }

std::shared_ptr<void> CheckIndex::pause() {
  const auto count = [this](int change) {
    const std::scoped_lock lock(mutex_);
    pauses_ += change;
  };
  count(1);
  return {nullptr, [count](std::nullptr_t) { count(-1); }};  // without memory, that is called at once
}

std::uint64_t CheckIndex::memory_left(std::uint64_t bytes) const {
  const std::scoped_lock lock(mutex_);
  return bytes - std::min<std::uint64_t>(bytes / 2, reserved_bytes());
}

// Memory that is taken, or about to be.
std::size_t CheckIndex::reserved_bytes() const {
  if (building_ || requested_) return wanted_.bytes;
  return index_ ? index_->bytes() : 0;
}

CheckIndex::Report CheckIndex::report() const {
  const std::scoped_lock lock(mutex_);
  Report report;
  report.wanted = wanted_.bytes > 0;
  if (building_) report.building = heartbeat_.last().time;
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
    changed_.wait(lock, [this] { return stopping_ || requested_; });
    if (stopping_) return;
    build_next(lock);
  }
}

void CheckIndex::build_next(std::unique_lock<std::mutex>& lock) {
  requested_ = false;
  building_ = true;
  heartbeat_.beat();
  BuildRequest request{wanted_, times_wanted_};
  std::shared_ptr<iteration::BankIndex> dropped;
  if (index_ && (index_->is_outgrown() || !two_fit())) dropped.swap(index_);
  if (index_) request.wanted.bytes -= index_->bytes();
  lock.unlock();
  dropped.reset();
  std::optional<logs::FileIdentity> bank_file;
  const Built built = build(request, bank_file);
  lock.lock();
  building_ = false;
  changed_.notify_all();
  if (stopping_ || request.time != times_wanted_ || !take(request, built, bank_file)) return;
  lock.unlock();
  on_built_(built);
  lock.lock();
}

// Returns whether to report the result: not if there merely was no room beside an old index.
bool CheckIndex::take(const BuildRequest& request, const Built& built,
                      const std::optional<logs::FileIdentity>& bank_file) {
  is_tight_ = !built.ok() && built.error().code == ErrorCode::config && request.wanted.bytes < wanted_.bytes;
  if (is_tight_) return false;
  failure_ = built.ok() ? std::nullopt : std::optional(built.error());
  failed_at_ = steady_clock::now();
  if (built.ok()) {
    index_ = *built;
    bank_file_ = bank_file;
    built_at_ = steady_clock::now();
  }
  return true;
}

CheckIndex::Built CheckIndex::build(const BuildRequest& request,
                                    std::optional<logs::FileIdentity>& bank_file) {
  try {
    bank_file = identity_of(folder_.bank_path());
    QDEDUP_ASSIGN_OR_RETURN(db::Bank bank, db::Bank::open(folder_, db::Access::read_only));
    if (identity_of(folder_.bank_path()) != bank_file) {
      return Error{ErrorCode::busy, bank.path() + ": was replaced meanwhile"};
    }
    bank.on_activity([this](db::Activity) { heartbeat_.beat(); });
    iteration::BankIndex::Limits limits = limits_;
    limits.bytes = request.wanted.bytes;
    return iteration::BankIndex::build(bank, request.wanted.settings, limits,
                                       [this, &request] { return keep_building(request); });
  } catch (const std::exception& exception) {
    return exception_error(exception);
  }
}

Status CheckIndex::keep_building(const BuildRequest& request) {
  heartbeat_.beat();
  const std::scoped_lock lock(mutex_);
  return stopping_ || request.time != times_wanted_ ? Status(Error{ErrorCode::busy, "is built no further"})
                                                    : Status();
}

}  // namespace qdedup::daemon
