#include "base/host.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/ascii.h"
#include "base/parse_number.h"

namespace qdedup {
namespace {

bool is_port(std::string_view text) { return text.size() <= 5 && parse_number<std::uint16_t>(text); }

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
  });
}

// `text` is what stands between the brackets.
bool is_ipv6(std::string_view text) {
  return std::count(text.begin(), text.end(), ':') >= 2 && std::all_of(text.begin(), text.end(), [](char c) {
           return hexadecimal_value(c) >= 0 || c == ':' || c == '.';
         });
}

}  // namespace

bool is_host(std::string_view host) {
  const std::string_view name = name_in_host(host);
  const std::string_view port = host.substr(name.size());
  if (!port.empty() && !(port.front() == ':' && is_port(port.substr(1)))) return false;
  if (!name.starts_with('[')) return is_name(name);
  return name.ends_with(']') && is_ipv6(name.substr(1, name.size() - 2));
}

std::string_view name_in_host(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (end == std::string_view::npos) return host;
  return host.substr(0, host.starts_with('[') ? end + 1 : end);
}

}  // namespace qdedup
