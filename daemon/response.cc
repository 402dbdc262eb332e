#include "daemon/response.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace qdedup::daemon {

Response text_response(unsigned status, std::string body) {
  return {
      .status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(body), .headers = {}};
}

Response json_response(unsigned status, std::string body) {
  return {.status = status, .content_type = "application/json", .body = std::move(body), .headers = {}};
}

Response error_response(unsigned status, std::string_view message) {
  const nlohmann::json body = {{"error", message}};
  return json_response(status, body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

}  // namespace qdedup::daemon
