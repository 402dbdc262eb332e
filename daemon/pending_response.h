#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "daemon/response.h"

namespace qdedup::daemon {

// One request's response, on its way from whichever thread makes it to the connection that sends it. Any
// thread may call any function; take(), complete() and leave() are for the connection.
class PendingResponse {
 public:
  // `wake` makes the connection call take() soon; it is called on any thread, but never after complete() or
  // leave() has returned. At most `capacity` bytes of a stream wait at a time, or one line. To be created on
  // the server's thread.
  PendingResponse(std::function<void()> wake, std::size_t capacity);

  // For Responder and LineStream.
  void send(Response response);
  void begin_stream(std::string content_type);
  bool write(std::string_view line);
  void offer(std::string_view line);
  void finish();
  void abandon();  // their last copy is gone
  [[nodiscard]] bool gone() const;
  void on_gone(std::function<void()> callback);

  // What the connection is to send next.
  struct Output {
    std::optional<Response> response;  // the whole response, or the head of a stream
    bool streamed = false;             // which of the two, in each output
    std::string lines;                 // of the stream
    bool finished = false;             // nothing follows
    bool broken = false;               // nothing follows, though the stream is incomplete
  };
  // With up to `size` bytes of the stream.
  Output take(std::size_t size);

  void complete();  // the response was sent
  void leave();     // there is nobody to send it to

 private:
  enum class State { unanswered, streaming, finished, broken };

  [[nodiscard]] bool has_room(std::size_t size, std::size_t capacity) const {
    return lines_.empty() || lines_.size() - taken_ + size <= capacity;
  }
  void append(std::string_view line);
  void wake();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;  // empty: nobody listens any more
  const std::size_t capacity_;
  const std::thread::id server_thread_ = std::this_thread::get_id();
  State state_ = State::unanswered;
  bool streamed_ = false;
  bool gone_ = false;
  bool awake_ = false;  // take() will be called anyway
  std::optional<Response> response_;
  std::string lines_;      // that wait, after some that were taken
  std::size_t taken_ = 0;  // of their bytes
  std::vector<std::function<void()>> on_gone_;
};

// The body of a response that is sent line by line while it is produced. Copies are the same stream. Any
// thread may call any function, before and after the client or the server is gone. When the last copy goes
// without finish(), the connection is cut, so that the client can tell.
class LineStream {
 public:
  explicit LineStream(std::shared_ptr<PendingResponse> pending) : pending_(std::move(pending)) {}

  // Sends `line` and a line feed. Waits while more than HttpLimits::stream_bytes are to be sent; a client
  // that reads nothing for HttpLimits::write counts as gone. On the server's own thread it never waits:
  // there, a client that is too slow counts as gone at once. Returns whether the client is still there.
  bool write(std::string_view line) { return pending_->write(line); }

  // The same for a line that may be missed, such as progress: never waits, and drops it if the client is
  // slow.
  void offer(std::string_view line) { pending_->offer(line); }

  void finish() { pending_->finish(); }
  [[nodiscard]] bool gone() const { return pending_->gone(); }

 private:
  std::shared_ptr<PendingResponse> pending_;
};

// Responds to one request, once: later responses are dropped. Copies are the same responder; any thread
// may use it, at any time. When the last copy goes without a response, the client gets a 500.
class Responder {
 public:
  // The last copy abandons `pending`.
  explicit Responder(const std::shared_ptr<PendingResponse>& pending)
      : pending_(pending.get(), [pending](PendingResponse* response) { response->abandon(); }) {}

  void send(Response response) const { pending_->send(std::move(response)); }
  [[nodiscard]] LineStream stream(std::string content_type = "application/x-ndjson") const {
    pending_->begin_stream(std::move(content_type));
    return LineStream(pending_);
  }

  // Whether nobody waits for a response any more: the connection has ended, or the server was stopped. (A TCP
  // client that merely closes is noticed when something is written; one on the unix socket at once.)
  [[nodiscard]] bool gone() const { return pending_->gone(); }

  // `callback` is called once if the client goes before the response is complete: on the server's thread,
  // where it must not wait; or right here, if it has gone already. It must hold no responder.
  void on_gone(std::function<void()> callback) const { pending_->on_gone(std::move(callback)); }

 private:
  std::shared_ptr<PendingResponse> pending_;
};

}  // namespace qdedup::daemon
