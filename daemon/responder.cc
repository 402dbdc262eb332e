#include "daemon/responder.h"

#include <utility>

namespace qdedup::daemon {
namespace {

// The connection is closed in any case, so exceptions of callbacks are dropped.
void call(const std::function<void()>& callback) {
  try {
    callback();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

}  // namespace

PendingResponse::PendingResponse(std::function<void()> wake, std::size_t capacity)
    : wake_(std::move(wake)), capacity_(capacity) {}

void PendingResponse::send(Response response) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::unanswered) return;
  response_ = std::move(response);
  state_ = State::finished;
  wake();
}

void PendingResponse::begin_stream() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::unanswered) return;
  response_ = Response{.content_type = "text/plain"};
  streamed_ = true;
  state_ = State::streaming;
  wake();
}

void PendingResponse::write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  append(line);
}

void PendingResponse::offer(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (lines_.size() - taken_ + line.size() < capacity_) append(line);
}

void PendingResponse::abandon() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::unanswered) {
    unanswered_ = true;
    state_ = State::finished;
  } else if (state_ == State::streaming) {
    state_ = State::broken;
  }
  wake();
}

bool PendingResponse::gone() const {
  const std::lock_guard lock(mutex_);
  return gone_;
}

bool PendingResponse::is_open() const {
  const std::lock_guard lock(mutex_);
  return !gone_ && (state_ == State::unanswered || state_ == State::streaming);
}

void PendingResponse::on_gone(std::function<void()> callback) {
  {
    const std::lock_guard lock(mutex_);
    if (!gone_) {
      if (wake_) on_gone_.push_back(std::move(callback));
      return;
    }
  }
  callback();
}

PendingResponse::Output PendingResponse::take(std::size_t size) {
  const std::lock_guard lock(mutex_);
  awake_ = false;
  Output output{.response = std::exchange(response_, std::nullopt),
                .unanswered = std::exchange(unanswered_, false),
                .streamed = streamed_,
                .lines = {}};
  output.lines = lines_.substr(taken_, size);
  taken_ += output.lines.size();
  if (taken_ == lines_.size() || taken_ >= capacity_) lines_.erase(0, std::exchange(taken_, 0));
  output.finished = lines_.empty() && state_ == State::finished;
  output.broken = lines_.empty() && state_ == State::broken;
  return output;
}

void PendingResponse::complete() {
  std::vector<std::function<void()>> callbacks;  // destroyed after unlocking: what they hold may call back
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
  callbacks.swap(on_gone_);
}

void PendingResponse::leave() {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    if (!wake_) return;
    wake_ = nullptr;
    gone_ = true;
    callbacks.swap(on_gone_);
  }
  for (const auto& callback : callbacks) call(callback);
}

void PendingResponse::append(std::string_view line) {
  if (gone_ || state_ != State::streaming) return;
  lines_ += line;
  lines_ += '\n';
  wake();
}

void PendingResponse::wake() {
  if (awake_ || !wake_) return;
  wake_();
  awake_ = true;  // not reached if it throws: then abandoning the response calls it again
}

Responder make_responder(std::shared_ptr<PendingResponse> pending) {
  PendingResponse* const response = pending.get();
  return {response, [pending = std::move(pending)](PendingResponse* each) { each->abandon(); }};
}

}  // namespace qdedup::daemon
