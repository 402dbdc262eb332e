#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "daemon/response.h"

namespace qdedup::daemon {

// One request's answer on its way from whichever thread makes it to the connection that sends it. All
// functions are safe on any thread; take(), complete() and leave() are the connection's.
class Exchange {
 public:
  // `wake` makes the connection call take() soon; it is called on any thread, and never after complete() or
  // leave() has returned. At most `capacity` bytes of a stream wait at a time, or one line. To be made on the
  // server's thread.
  Exchange(std::function<void()> wake, std::size_t capacity);

  // What Responder and LineStream say.
  void send(Response response);
  void begin_stream(std::string content_type);
  bool write(std::string_view line);
  void offer(std::string_view line);
  void finish();
  void abandon();  // their last copy has gone
  [[nodiscard]] bool gone() const;
  void on_gone(std::function<void()> callback);

  // What the connection is to send next.
  struct News {
    std::optional<Response> response;  // the whole answer, or the head of a stream
    bool streamed = false;             // which of the two, in all news
    std::string lines;                 // of the stream
    bool finished = false;             // nothing comes behind this
    bool broken = false;               // the same, and the stream is not complete
  };
  // With up to `size` bytes of the stream.
  News take(std::size_t size);

  void complete();  // the answer was sent
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
  std::string lines_;      // that wait, and some that were taken
  std::size_t taken_ = 0;  // of their bytes
  std::vector<std::function<void()>> on_gone_;
};

}  // namespace qdedup::daemon
