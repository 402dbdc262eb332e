#include "daemon/http_message.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/write.hpp>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json.h"
#include "base/utf8.h"

namespace qdedup::daemon {
namespace {

namespace http = boost::beast::http;

std::optional<std::string> decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::optional<char> byte = percent_escape(text.substr(i));
    if (!byte) return std::nullopt;
    decoded += *byte;
    i += 2;
  }
  if (!is_utf8(decoded) || decoded.find('\0') != std::string::npos) return std::nullopt;
  return decoded;
}

bool is_printable_ascii(char c) { return c > 0x20 && c < 0x7F; }

bool is_segment(std::string_view segment) {
  return segment != "." && segment != ".." && std::none_of(segment.begin(), segment.end(), [](char c) {
           return is_control(c) || c == '\\' || c == '/';
         });
}

// `path` begins with '/'. Only its last segment may be empty.
std::optional<std::string> decode_path(std::string_view path) {
  std::string decoded;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view raw = path.substr(0, path.find('/'));
    path.remove_prefix(raw.size());
    const std::optional<std::string> segment = decode(raw);
    if (!segment || !is_segment(*segment) || (segment->empty() && !path.empty())) return std::nullopt;
    decoded += '/';
    decoded += *segment;
  }
  return decoded;
}

std::optional<std::string> decode_parameter(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return decode(spaced);
}

bool decode_query(std::string_view text, RequestTarget& target) {
  while (!text.empty()) {
    std::string_view pair = take_until(text, '&');
    if (pair.empty()) continue;
    std::optional<std::string> name = decode_parameter(take_until(pair, '='));
    std::optional<std::string> value = decode_parameter(pair);
    if (!name || !value) return false;
    target.query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

boost::beast::string_view beast_view(std::string_view text) { return {text.data(), text.size()}; }

void insert(http::fields& fields, const std::string& name, std::string value) {
  std::replace_if(value.begin(), value.end(), is_control, ' ');
  fields.insert(beast_view(name), beast_view(value));
}

}  // namespace

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return in_lower_case(x) == in_lower_case(y); });
}

std::vector<std::string_view> values_of(const Headers& headers, std::string_view name) {
  std::vector<std::string_view> values;
  for (const Header& header : headers) {
    if (equal_in_any_case(header.first, name)) values.emplace_back(header.second);
  }
  return values;
}

std::optional<RequestTarget> RequestTarget::parse(std::string_view target) {
  if (!target.starts_with('/') || target.find('#') != std::string_view::npos ||
      !std::all_of(target.begin(), target.end(), is_printable_ascii)) {
    return std::nullopt;
  }
  const std::string_view raw_path = target.substr(0, target.find('?'));
  std::optional<std::string> path = decode_path(raw_path);
  if (!path) return std::nullopt;
  RequestTarget result{.path = std::move(*path), .query = {}};
  if (!decode_query(target.substr(std::min(target.size(), raw_path.size() + 1)), result)) return std::nullopt;
  return result;
}

Response text_response(unsigned status, std::string text) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(text)};
}

Response json_response(unsigned status, std::string json) {
  return {.status = status, .body = std::move(json) + '\n'};
}

Response error_response(unsigned status, std::string_view message) {
  return json_response(status, json_text({{"error", message}}));
}

bool has_body(unsigned status) { return status >= 200 && status != 204 && status != 304; }

std::string head_text(const Response& response, const Framing& framing) {
  http::response_header<> head;
  head.version(framing.http_1_1 ? 11 : 10);
  head.result(response.status);
  if (has_body(response.status)) {
    insert(head, "Content-Type", response.content_type);
    if (!framing.streamed) {
      insert(head, "Content-Length", std::to_string(response.body.size()));
    } else if (framing.http_1_1) {
      insert(head, "Transfer-Encoding", "chunked");
    }
  }
  insert(head, "Connection", framing.keep_alive ? "keep-alive" : "close");
  insert(head, "Cache-Control", "no-store");
  insert(head, "X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) head.erase(beast_view(name));
  for (const auto& [name, value] : response.headers) insert(head, name, value);
  std::ostringstream text;
  text << head;
  return std::move(text).str();
}

std::string chunk_text(std::string_view bytes) {
  return boost::beast::buffers_to_string(http::make_chunk(boost::asio::buffer(bytes.data(), bytes.size())));
}

}  // namespace qdedup::daemon
