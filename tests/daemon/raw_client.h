#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"

namespace qdedup::daemon {

// An answer as it came over the wire.
struct RawAnswer {
  unsigned status = 0;                         // 0: the connection ended before there was one
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // without its chunks
  bool complete = false;                       // as long as its framing says
};

// A client that sends whatever bytes a test wants, and reads answers with as little knowledge of HTTP as that
// takes. It waits for as long as it takes.
class RawClient {
 public:
  static RawClient to_unix(const std::string& path);
  static RawClient unconnected();  // for connect()
  void connect(const std::string& path);
  static RawClient to_tcp(std::uint16_t port);

  // False: the server has closed.
  bool send(std::string_view bytes);  // NOLINT(modernize-use-nodiscard)

  RawAnswer read_answer(bool to_head = false);

  // Up to and with `end`, or to the end of the connection.
  std::string read_until(std::string_view end);
  std::string read_to_end();
  bool at_end();  // waits for bytes or the end

  void close_sending_half();
  void close() { socket_.close(); }
  [[nodiscard]] int number() const { return socket_.number(); }

 private:
  explicit RawClient(FileDescriptor socket) : socket_(std::move(socket)) {}

  bool read_more();
  std::string take(std::size_t size);
  void read_chunks(RawAnswer& answer);

  FileDescriptor socket_;
  std::string received_;
};

}  // namespace qdedup::daemon
