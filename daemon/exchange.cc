#include "daemon/exchange.h"

#include <utility>

namespace qdedup::daemon {
namespace {

// The connection goes on closing whatever a callback throws.
void call(const std::function<void()>& callback) {
  try {
    callback();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

}  // namespace

Exchange::Exchange(std::function<void()> wake, std::size_t capacity)
    : wake_(std::move(wake)), capacity_(capacity) {}

void Exchange::send(Response response) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::unanswered) return;
  response_ = std::move(response);
  state_ = State::finished;
  wake();
}

void Exchange::begin_stream(std::string content_type) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::unanswered) return;
  response_ = Response{.status = 200, .content_type = std::move(content_type), .body = {}, .headers = {}};
  streamed_ = true;
  state_ = State::streaming;
  wake();
}

bool Exchange::write(std::string_view line) {
  std::unique_lock lock(mutex_);
  const auto has_room_now = [&] { return has_room(line.size() + 1, capacity_); };
  if (!has_room_now() && std::this_thread::get_id() == server_thread_ && state_ == State::streaming) {
    state_ = State::broken;
    wake();
  }
  changed_.wait(lock, [&] { return gone_ || state_ != State::streaming || has_room_now(); });
  if (gone_ || state_ != State::streaming) return false;
  append(line);
  return true;
}

void Exchange::offer(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (gone_ || state_ != State::streaming || !has_room(line.size() + 1, capacity_ / 2)) return;
  append(line);
}

void Exchange::finish() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::streaming) return;
  state_ = State::finished;
  wake();
}

void Exchange::abandon() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::unanswered) {
    response_ = error_response(500, "no answer");
    state_ = State::finished;
  } else if (state_ == State::streaming) {
    state_ = State::broken;
  }
  wake();
}

bool Exchange::gone() const {
  const std::lock_guard lock(mutex_);
  return gone_;
}

void Exchange::on_gone(std::function<void()> callback) {
  {
    const std::lock_guard lock(mutex_);
    if (!gone_) {
      if (wake_) on_gone_.push_back(std::move(callback));
      return;
    }
  }
  callback();
}

Exchange::News Exchange::take(std::size_t size) {
  const std::lock_guard lock(mutex_);
  awake_ = false;
  News news{.response = std::exchange(response_, std::nullopt), .streamed = streamed_, .lines = {}};
  news.lines = lines_.substr(taken_, size);
  taken_ += news.lines.size();
  if (taken_ == lines_.size() || taken_ >= capacity_) lines_.erase(0, std::exchange(taken_, 0));
  news.finished = lines_.empty() && state_ == State::finished;
  news.broken = lines_.empty() && state_ == State::broken;
  changed_.notify_all();
  return news;
}

void Exchange::complete() {
  std::vector<std::function<void()>> callbacks;  // destroyed behind the lock: what they hold may call back
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
  callbacks.swap(on_gone_);
}

void Exchange::leave() {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    if (!wake_) return;
    wake_ = nullptr;
    gone_ = true;
    callbacks.swap(on_gone_);
  }
  changed_.notify_all();
  for (const auto& callback : callbacks) call(callback);
}

void Exchange::append(std::string_view line) {
  lines_ += line;
  lines_ += '\n';
  wake();
}

void Exchange::wake() {
  if (awake_ || !wake_) return;
  awake_ = true;
  wake_();
}

}  // namespace qdedup::daemon
