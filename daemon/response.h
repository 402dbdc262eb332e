#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/request.h"

namespace qdedup::daemon {

// A whole response. The server adds Content-Length, Connection, "Cache-Control: no-store" and
// "X-Content-Type-Options: nosniff"; `headers` are further ones, and replace those of the same name.
struct Response {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body{};
  std::vector<Header> headers{};
};

Response text_response(unsigned status, std::string body);  // text/plain
Response json_response(unsigned status, std::string body);  // `body` is JSON already

// {"error":"<message>"}
Response error_response(unsigned status, std::string_view message);

// How a response goes over the connection.
struct Framing {
  bool http_1_1 = true;
  bool keep_alive = true;
  bool streamed = false;  // in chunks (HTTP/1.0: to the end of the connection), not with a length
};

// Whether a response of this status has a body at all.
bool has_body(unsigned status);

// Status line and headers, with the empty line. Control characters in the headers become spaces.
std::string head_text(const Response& response, const Framing& framing);

// `bytes`, not empty, as a chunk; and what follows the last one.
std::string chunk_text(std::string_view bytes);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace qdedup::daemon
