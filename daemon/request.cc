#include "daemon/request.h"

#include "base/utf8.h"

namespace qdedup::daemon {
namespace {

int hexadecimal_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = hexadecimal_digit(text[i + 1]);
    const int low = hexadecimal_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
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

// `path` begins with '/'. Only the last segment may be empty.
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
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::string_view raw_name = pair.substr(0, pair.find('='));
    const std::string_view raw_value = pair.substr(std::min(pair.size(), raw_name.size() + 1));
    std::optional<std::string> name = decode_parameter(raw_name);
    std::optional<std::string> value = decode_parameter(raw_value);
    if (!name || !value) return false;
    target.query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

}  // namespace

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

const std::string* Request::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [name](const Header& header) {
    return equal_in_any_case(header.first, name);
  });
  return found == headers.end() ? nullptr : &found->second;
}

}  // namespace qdedup::daemon
