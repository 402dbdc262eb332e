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
    : folder_(std::move(folder)), on_built_(std::move(on_built)), limits_(limits) {}

CheckIndex::~CheckIndex() { begin_stop(); }

void CheckIndex::want(const Wanted& wanted) {
  std::shared_ptr<iteration::BankIndex> dropped;  // destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  if (wanted == wanted_) return;
  wanted_ = wanted;
  ++times_wanted_;
  failure_.reset();
  is_tight_ = false;
  dropped.swap(index_);
  request_build();
}

void CheckIndex::request_build() {
  requested_ = false;
  if (wanted_.bytes == 0) return;
  builder_.post({.name = "index",
                 .run = [this](Heartbeat&) { build_next(); },
                 .failed = [](const Error&) { std::terminate(); }});  // what is thrown outside build()
  requested_ = true;
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
  if (const auto job = builder_.running(); job && building_) report.building = job->last_beat.time;
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
  ++times_wanted_;  // what is being built is given up
  requested_ = false;
  builder_.stop(std::chrono::milliseconds(0));
}

bool CheckIndex::stop(std::chrono::milliseconds patience) {
  begin_stop();
  return builder_.stop(patience);
}

void CheckIndex::build_next() {
  const std::optional<BuildRequest> request = begin_build();
  if (!request) return;
  std::optional<logs::FileIdentity> bank_file;
  const Built built = build(*request, bank_file);
  if (take(*request, built, bank_file)) on_built_(built);
}

// None if what was requested is no longer wanted.
std::optional<CheckIndex::BuildRequest> CheckIndex::begin_build() {
  std::shared_ptr<iteration::BankIndex> dropped;  // destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  if (!requested_) return std::nullopt;
  requested_ = false;
  building_ = true;
  BuildRequest request{wanted_, times_wanted_};
  if (index_ && (index_->is_outgrown() || !two_fit())) dropped.swap(index_);
  if (index_) request.wanted.bytes -= index_->bytes();
  return request;
}

// Returns whether to report the result: not if something else is wanted by now, or there merely was no room
// beside an old index.
bool CheckIndex::take(const BuildRequest& request, const Built& built,
                      const std::optional<logs::FileIdentity>& bank_file) {
  std::shared_ptr<iteration::BankIndex> dropped;  // destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  building_ = false;
  if (request.time != times_wanted_) return false;
  is_tight_ = !built.ok() && built.error().code == ErrorCode::config && request.wanted.bytes < wanted_.bytes;
  if (is_tight_) return false;
  failure_ = built.ok() ? std::nullopt : std::optional(built.error());
  failed_at_ = steady_clock::now();
  if (built.ok()) {
    dropped = std::exchange(index_, *built);
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
    bank.on_activity([this](db::Activity activity) { builder_.beat(activity); });
    iteration::BankIndex::Limits limits = limits_;
    limits.bytes = request.wanted.bytes;
    return iteration::BankIndex::build(bank, request.wanted.settings, limits,
                                       [this, &request] { return keep_building(request); });
  } catch (const std::exception& exception) {
    return exception_error(exception);
  }
}

Status CheckIndex::keep_building(const BuildRequest& request) {
  builder_.beat(db::Activity::step);
  const std::scoped_lock lock(mutex_);
  return request.time == times_wanted_ ? Status() : Status(Error{ErrorCode::busy, "is built no further"});
}

}  // namespace qdedup::daemon
