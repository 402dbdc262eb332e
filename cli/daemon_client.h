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

// How long the daemon may say nothing; while something is waited for it speaks every few seconds.
inline constexpr std::chrono::seconds daemon_patience{30};

// A connection to the daemon's socket, for one request after the other. Waits; use it on one thread. Where
// the daemon says nothing for as long as the patience lasts, or ends, that is ErrorCode::busy.
class DaemonClient {
 public:
  // Takes a line of a response, without its line feed; returns false for the one that is waited for.
  using OnLine = std::function<bool(std::string_view line)>;

  struct Answer {
    unsigned status = 0;
    std::string body;
  };

  // No value: there is no daemon (no socket, or one whose process is dead). An error, which names the socket,
  // when there is one that may not be used, or that somebody else may have put there: its folder is open to
  // everybody for writing, or its process is neither root's, nor the user's, nor the folder's owner's.
  static Result<std::optional<DaemonClient>> connect(const std::string& socket_path);

  // The whole answer, whatever its status.
  Result<Answer> get(std::string_view target, std::chrono::milliseconds patience = std::chrono::seconds(10));
  Result<Answer> post(std::string_view target, std::string_view json);

  // Sends `json` and takes lines until one is the one that is waited for; the answer goes on. An error when
  // it has another status than 200 (busy: 503 and 409); its message has the reason that the daemon gave.
  Status begin(std::string_view target, std::string_view json, const OnLine& on_line);

  // Whether the answer of begin() still goes on. What else it says is dropped.
  [[nodiscard]] bool goes_on() const;

  [[nodiscard]] int descriptor() const { return socket_.number(); }
  [[nodiscard]] uid_t user() const { return user_; }  // of the daemon's process

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

// {"error":"…"}, or whatever else the daemon said.
std::string reason_of(const std::string& body);

}  // namespace qdedup::cli
