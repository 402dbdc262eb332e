#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::cli {

// How long the daemon may stay silent; while a client waits, it sends something every few seconds.
inline constexpr std::chrono::seconds daemon_patience{30};

// A connection to the daemon's socket, for one request after another. Blocks; use it on one thread. If the
// daemon ends, or is silent for longer than its patience, calls fail with ErrorCode::busy.
class DaemonClient {
 public:
  // Takes a line of a response, without its line feed; returns false for the awaited line.
  using OnLine = std::function<bool(std::string_view line)>;

  struct Answer {
    unsigned status = 0;
    std::string body;
  };

  // No value if there is no daemon (no socket, or one whose process is dead). An error naming the socket if
  // it may not be used, or may be somebody else's: its folder is writable by everybody, or its process
  // belongs neither to root, nor the user, nor the folder's owner.
  static Result<std::optional<DaemonClient>> connect(const std::string& socket_path);

  // The complete answer, whatever its status.
  Result<Answer> get(std::string_view target, std::chrono::milliseconds patience = std::chrono::seconds(10));
  Result<Answer> post(std::string_view target, std::string_view json);

  // Sends `json` and takes lines up to the awaited one; the answer remains open. Any status but 200 is an
  // error (busy for 503 and 409) whose message includes the daemon's reason.
  Status begin(std::string_view target, std::string_view json, const OnLine& on_line);

  // Whether the answer to begin() is still open. Anything else it says is dropped.
  [[nodiscard]] bool goes_on() const;

  [[nodiscard]] int descriptor() const { return socket_.number(); }
  [[nodiscard]] uid_t user() const { return user_; }  // the owner of the daemon's process

 private:
  // Returns whether it wants more.
  using Take = std::function<bool(unsigned status, std::string_view piece)>;

  DaemonClient(FileDescriptor socket, std::string path, uid_t user)
      : socket_(std::move(socket)), path_(std::move(path)), user_(user) {}

  Result<unsigned> ask(std::string_view request, std::chrono::milliseconds patience, const Take& take);
  Result<Answer> whole_answer(std::string_view request, std::chrono::milliseconds patience);

  FileDescriptor socket_;
  std::string path_;
  uid_t user_;
};

// Extracts the reason from {"error":"…"}; for any other body, returns that.
std::string reason_of(const std::string& body);

}  // namespace qdedup::cli
