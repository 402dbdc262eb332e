#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/request.h"

namespace qdedup::daemon {

// A whole answer. The server adds Content-Length, Connection, "Cache-Control: no-store" and
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

}  // namespace qdedup::daemon
