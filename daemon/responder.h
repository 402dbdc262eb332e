#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/http_message.h"

namespace qdedup::daemon {

// The response to one request, on its way from the thread that produces it to the connection that sends it.
// All functions are thread-safe and may be called even after the client or the server is gone.
class PendingResponse {
 public:
  // `wake` makes the connection call take() soon. It is called on any thread, but never after complete() or
  // leave() has returned. Lines that are offered never fill more than `capacity` bytes.
  PendingResponse(std::function<void()> wake, std::size_t capacity);

  // Responds, once; later responses are dropped.
  void send(Response response);

  // Responds with lines of plain text that are sent as they are produced, until the response is abandoned. A
  // client that reads nothing for HttpLimits::write counts as gone.
  void begin_stream();

  // Sends `line` and a line feed. Never blocks.
  void write(std::string_view line);

  // The same for a line that may be lost, such as progress: drops the line if the client is slow.
  void offer(std::string_view line);

  // Whether nobody waits for a response any more: the connection has ended, or the server was stopped. (A TCP
  // client that merely closes is noticed only when something is written, one on the unix socket at once.)
  [[nodiscard]] bool gone() const;

  // Whether somebody still waits for a response that is not complete.
  [[nodiscard]] bool is_open() const;

  // `callback` is called once if the client goes before the response is complete: on the server's thread,
  // where it must not block, or immediately if the client has gone already. It must not hold a responder.
  void on_gone(std::function<void()> callback);

  // Nobody will respond any more: the server does (500, or 503 while it stops), or cuts the stream so that
  // the client notices.
  void abandon();

  // What the connection is to send next.
  struct Output {
    std::optional<Response> response;  // the complete response, or the head of a stream
    bool unanswered = false;           // nobody responded: the connection does so itself
    bool streamed = false;             // whether it is a stream; set in each output
    std::string lines;                 // of the stream
    bool finished = false;             // nothing follows
    bool broken = false;               // nothing follows, though the stream is incomplete
  };
  // These three are for the connection. Takes at most `size` bytes of the stream.
  Output take(std::size_t size);
  void complete();  // the response was sent
  void leave();     // there is nobody to send it to

 private:
  enum class State { unanswered, streaming, finished, broken };

  void append(std::string_view line);
  void wake();

  mutable std::mutex mutex_;
  std::function<void()> wake_;  // empty: nobody is listening any more
  const std::size_t capacity_;
  State state_ = State::unanswered;
  bool unanswered_ = false;
  bool streamed_ = false;
  bool gone_ = false;
  bool awake_ = false;  // take() is going to be called anyway
  std::optional<Response> response_;
  std::string lines_;  // waiting, but for the first `taken_` bytes
  std::size_t taken_ = 0;
  std::vector<std::function<void()>> on_gone_;
};

// Shared by all who may respond to a request; when the last one is destroyed, the response is abandoned.
using Responder = std::shared_ptr<PendingResponse>;
Responder make_responder(std::shared_ptr<PendingResponse> pending);

}  // namespace qdedup::daemon
