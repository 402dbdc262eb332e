#include "daemon/response.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include <boost/beast/http/status.hpp>
#include <nlohmann/json.hpp>

namespace qdedup::daemon {
namespace {

void append_header(std::string& text, std::string_view name, std::string_view value) {
  const std::size_t begin = text.size();
  text += name;
  text += ": ";
  text += value;
  std::replace_if(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_control, ' ');
  text += "\r\n";
}

// Unless the response has its own.
void append_default(std::string& text, const Response& response, std::string_view name,
                    std::string_view value) {
  const bool replaced =
      std::any_of(response.headers.begin(), response.headers.end(),
                  [name](const Header& header) { return equal_in_any_case(header.first, name); });
  if (!replaced) append_header(text, name, value);
}

std::string status_line(unsigned status, bool http_1_1) {
  const auto reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
  std::string line = http_1_1 ? "HTTP/1.1 " : "HTTP/1.0 ";
  line += std::to_string(status);
  line += ' ';
  line.append(reason.data(), reason.size());
  return line + "\r\n";
}

}  // namespace

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

bool has_body(unsigned status) { return status >= 200 && status != 204 && status != 304; }

std::string head_text(const Response& response, const Framing& framing) {
  std::string text = status_line(response.status, framing.http_1_1);
  if (has_body(response.status)) {
    append_default(text, response, "Content-Type", response.content_type);
    if (!framing.streamed) {
      append_header(text, "Content-Length", std::to_string(response.body.size()));
    } else if (framing.http_1_1) {
      append_header(text, "Transfer-Encoding", "chunked");
    }
  }
  append_header(text, "Connection", framing.keep_alive ? "keep-alive" : "close");
  append_default(text, response, "Cache-Control", "no-store");
  append_default(text, response, "X-Content-Type-Options", "nosniff");
  for (const Header& header : response.headers) append_header(text, header.first, header.second);
  return text + "\r\n";
}

std::string chunk_text(std::string_view bytes) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), bytes.size(), 16).ptr;
  std::string text(digits.data(), end);
  text += "\r\n";
  text += bytes;
  return text + "\r\n";
}

}  // namespace qdedup::daemon
