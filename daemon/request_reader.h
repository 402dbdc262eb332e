#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/generic/stream_protocol.hpp>

#include "daemon/request.h"

namespace qdedup::daemon {

// A client, over a unix socket or TCP.
using Connection = boost::asio::generic::stream_protocol::socket;

// A request, up to the empty line.
struct RequestHead {
  std::string method;
  std::string target;
  bool http_1_1 = true;  // or 1.0
  bool keep_alive = true;
  bool expects_continue = false;
  bool has_body = false;
  bool chunked = false;
  std::uint64_t content_length = 0;  // of a body that is not chunked
  std::vector<Header> headers;

  // The values of all headers of that name, in any case.
  [[nodiscard]] std::vector<std::string_view> all(std::string_view name) const;
};

// Why a request could not be read. `status` 0: there is nobody to respond to.
struct ReadFailure {
  unsigned status = 0;
  std::string_view reason;
};

// Reads the requests of one connection, one after the other. One function runs at a time; its callback is
// called later, with null when all is well.
class RequestReader {
 public:
  using Done = std::function<void(const ReadFailure* failure)>;

  RequestReader(Connection& stream, std::size_t header_bytes);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Whether the beginning of the next request was read already.
  [[nodiscard]] bool has_bytes() const;

  void read_head(Done done);
  [[nodiscard]] RequestHead head() const;

  // What follows the head that was read; more than `limit` bytes are a 413.
  void read_body(std::size_t limit, Done done);
  std::string take_body();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace qdedup::daemon
