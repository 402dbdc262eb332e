#include "daemon/authority.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "daemon/ascii.h"
#include "daemon/credentials.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t min_token_size = 16;

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

// token68 of RFC 9110.
bool is_token(std::string_view text) {
  const std::string_view padding = "=";
  const std::size_t last = text.find_last_not_of(padding);
  if (last == std::string_view::npos) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(last) + 1, [](char c) {
    return is_alphanumeric(c) || std::string_view("-._~+/").find(c) != std::string_view::npos;
  });
}

// Takes as long for any `secret`. `secret` is not empty.
bool same_secret(std::string_view presented, std::string_view secret) {
  std::size_t difference = presented.size() ^ secret.size();
  for (std::size_t i = 0; i < presented.size(); ++i) {
    difference |= static_cast<unsigned char>(presented[i] ^ secret[i % secret.size()]);
  }
  const volatile std::size_t result = difference;
  return result == 0;
}

bool is_port(std::string_view text) {
  if (text.empty() || text.size() > 5 || !std::all_of(text.begin(), text.end(), is_digit)) return false;
  int port = 0;
  for (const char c : text) port = port * 10 + (c - '0');
  return port <= 65535;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
  });
}

// The inside of the brackets.
bool is_ipv6(std::string_view text) {
  return std::count(text.begin(), text.end(), ':') >= 2 && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || c == ':' || c == '.' || (lower(c) >= 'a' && lower(c) <= 'f');
         });
}

// Where the name or the address ends, and the port may follow.
std::size_t end_of_name(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (end == std::string_view::npos) return host.size();
  return host.starts_with('[') ? end + 1 : end;
}

bool is_this_machine(std::string_view host) {
  const std::string_view name = host.substr(0, end_of_name(host));
  return name == "127.0.0.1" || name == "[::1]" || equal_in_any_case(name, "localhost");
}

}  // namespace

bool is_host(std::string_view host) {
  const std::string_view name = host.substr(0, end_of_name(host));
  const std::string_view port = host.substr(name.size());
  if (!port.empty() && !(port.front() == ':' && is_port(port.substr(1)))) return false;
  if (!name.starts_with('[')) return is_name(name);
  return name.ends_with(']') && is_ipv6(name.substr(1, name.size() - 2));
}

Verdict judge_local_host(const std::vector<std::string_view>& hosts, bool required) {
  if (hosts.empty()) return required ? Verdict::bad_host : Verdict::granted;
  if (hosts.size() != 1) return Verdict::bad_host;
  const std::string_view host = hosts.front();
  if (host.empty()) return Verdict::granted;
  if (!is_host(host)) return Verdict::bad_host;
  return is_this_machine(host) ? Verdict::granted : Verdict::misdirected;
}

Result<Authority> Authority::create(std::vector<std::string> hosts, std::string token) {
  if (hosts.empty())
    return Error{ErrorCode::config, "http.hosts is empty, so every request would be refused"};
  for (std::string& host : hosts) {
    if (!is_host(host)) return Error{ErrorCode::config, host + ": not a host, or a host and a port"};
    host = lowered(host);
  }
  if (token.size() < min_token_size || !is_token(token)) {
    return Error{ErrorCode::config, "the token must be 16 characters or more of A-Z a-z 0-9 - . _ ~ + /"};
  }
  return Authority(std::move(hosts), std::move(token));
}

Authority::Authority(std::vector<std::string> hosts, std::string token)
    : hosts_(std::move(hosts)), token_(std::move(token)) {}

Verdict Authority::judge(const std::vector<std::string_view>& hosts,
                         const std::vector<std::string_view>& authorizations) const {
  if (hosts.size() != 1 || !is_host(hosts.front())) return Verdict::bad_host;
  if (std::find(hosts_.begin(), hosts_.end(), lowered(hosts.front())) == hosts_.end()) {
    return Verdict::misdirected;
  }
  if (authorizations.size() != 1) return Verdict::unauthorised;
  const std::optional<Credentials> credentials = parse_credentials(authorizations.front());
  if (!credentials || !same_secret(credentials->token, token_)) return Verdict::unauthorised;
  return Verdict::granted;
}

}  // namespace qdedup::daemon
