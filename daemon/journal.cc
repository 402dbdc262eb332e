#include "daemon/journal.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <poll.h>
#include <spdlog/details/log_msg_buffer.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/systemd_sink.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escaped.h"

namespace qdedup::daemon {
namespace {

using spdlog::details::log_msg;
using spdlog::details::log_msg_buffer;

constexpr const char* identifier = "qdedupd";
constexpr std::size_t max_waiting_bytes = std::size_t{1} << 20U;
constexpr std::chrono::milliseconds patience_with_readers{500};

std::size_t size_of(const log_msg& message) { return sizeof(log_msg_buffer) + message.payload.size(); }

// Takes no lock of the C library, which the end of the process would wait for.
class StandardErrorSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 private:
  void sink_it_(const log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    for (std::string_view left(line.data(), line.size()); !left.empty();) {
      const ssize_t written = ::write(STDERR_FILENO, left.data(), left.size());
      if (written >= 0) {
        left.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno == EAGAIN) {
        pollfd room{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
        ::poll(&room, 1, -1);
      } else if (errno != EINTR) {
        throw spdlog::spdlog_ex("standard error", errno);
      }
    }
  }
  void flush_() override {}
};

spdlog::sink_ptr open_sink() {
  if (is_journal(STDERR_FILENO, std::getenv("JOURNAL_STREAM"))) {
    return std::make_shared<spdlog::sinks::systemd_sink_mt>(identifier);
  }
  auto sink = std::make_shared<StandardErrorSink>();
  sink->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l: %v");
  return sink;
}

}  // namespace

struct Journal::Queue {
  void drop() {
    ++dropped;
    ++unreported;
  }

  void push(const log_msg& message) {
    waiting.emplace_back(message);
    bytes += size_of(message);
  }

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<log_msg_buffer> waiting;  // the first is being written
  std::size_t bytes = 0;               // of those that wait
  std::uint64_t dropped = 0;
  std::uint64_t unreported = 0;  // of the dropped ones
  bool closed = false;
};

Journal::Journal(spdlog::sink_ptr sink)
    : spdlog::logger(identifier, std::move(sink)), queue_(std::make_shared<Queue>()) {
  set_error_handler([queue = queue_](const std::string& /*what*/) {
    const std::scoped_lock lock(queue->mutex);
    queue->drop();
  });
  std::thread([queue = queue_, sink = sinks_.front()] { write_all(queue, sink); }).detach();
}

Journal::~Journal() {
  flush_();
  const std::scoped_lock lock(queue_->mutex);
  queue_->closed = true;
  queue_->changed.notify_all();
}

std::uint64_t Journal::dropped() const {
  const std::scoped_lock lock(queue_->mutex);
  return queue_->dropped;
}

void Journal::write_all(const std::shared_ptr<Queue>& queue, const spdlog::sink_ptr& sink) {
  std::unique_lock lock(queue->mutex);
  while (true) {
    queue->changed.wait(lock, [&] { return queue->closed || !queue->waiting.empty(); });
    if (queue->waiting.empty()) return;
    const log_msg_buffer& message = queue->waiting.front();
    lock.unlock();
    bool written = true;
    try {
      sink->log(message);
    } catch (const std::exception&) {
      written = false;
    }
    lock.lock();
    if (!written) queue->drop();
    queue->bytes -= size_of(message);
    queue->waiting.pop_front();
    queue->changed.notify_all();
  }
}

// Escapes the message, so that nothing it quotes can forge a line of the journal or move the cursor.
void Journal::sink_it_(const log_msg& message) {
  const std::string payload = escaped_lines({message.payload.data(), message.payload.size()});
  log_msg safe = message;
  safe.payload = payload;
  const std::scoped_lock lock(queue_->mutex);
  if (queue_->bytes >= max_waiting_bytes) return queue_->drop();
  if (queue_->unreported > 0) {
    const std::string text =
        "messages dropped because nothing took them: " + std::to_string(queue_->unreported);
    queue_->push({identifier, spdlog::level::warn, text});
    queue_->unreported = 0;
  }
  queue_->push(safe);
  queue_->changed.notify_all();
}

void Journal::flush_() {
  std::unique_lock lock(queue_->mutex);
  queue_->changed.wait_for(lock, patience_with_readers, [this] { return queue_->waiting.empty(); });
}

bool is_journal(int descriptor, const char* journal_stream) {
  struct stat file {};
  if (journal_stream == nullptr || fstat(descriptor, &file) != 0) return false;
  return journal_stream == std::to_string(file.st_dev) + ':' + std::to_string(file.st_ino);
}

Result<std::shared_ptr<Journal>> open_journal(std::string_view level) {
  const std::string name(level);
  const auto chosen = spdlog::level::from_str(name);  // also accepts abbreviations and further levels
  const bool is_ours = chosen >= spdlog::level::debug && chosen <= spdlog::level::err;
  if (!is_ours || spdlog::level::to_string_view(chosen) != name) {
    return Error{ErrorCode::usage,
                 "log level \"" + name + R"(" is none of "debug", "info", "warning" and "error")"};
  }
  try {
    const auto log = std::make_shared<Journal>(open_sink());
    log->set_level(chosen);
    return log;
  } catch (const std::exception& exception) {
    return exception_error(exception).within("log");
  }
}

}  // namespace qdedup::daemon
