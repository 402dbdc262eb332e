#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::cli {

// The header that says how many descriptors belong to a request.
inline constexpr std::string_view descriptor_count_header = "Qdedup-Descriptors";

// A connection to the daemon's socket, for one request after the other. Waits; use it on one thread.
class DaemonClient {
 public:
  using OnLine = std::function<void(std::string_view line)>;

  struct Answer {
    unsigned status = 0;
    std::string body;
  };

  // No value: there is no daemon (no socket, or one whose process is dead). An error, which names the socket,
  // when there is one that may not be used.
  static Result<std::optional<DaemonClient>> connect(const std::string& socket_path);

  // Sends `json` with the files, which stay open here, and calls `on_line` with each line of the answer,
  // without its line feed, for as long as it takes. An error when the answer has another status than 200
  // (busy: 503 and 409), or ends early; its message has the reason that the daemon gave.
  Status post(std::string_view target, std::string_view json, const std::vector<int>& descriptors,
              const OnLine& on_line);

  // The whole answer, whatever its status. An error when the daemon says nothing for `patience`.
  Result<Answer> get(std::string_view target, std::chrono::milliseconds patience = std::chrono::seconds(10));

 private:
  DaemonClient(FileDescriptor socket, std::string path)
      : socket_(std::move(socket)), path_(std::move(path)) {}

  Result<unsigned> ask(std::string_view request, const std::vector<int>& descriptors,
                       std::chrono::milliseconds patience,
                       const std::function<void(unsigned, std::string_view)>& take);

  FileDescriptor socket_;
  std::string path_;
};

}  // namespace qdedup::cli
