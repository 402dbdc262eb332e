#include "daemon/authority.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file_descriptor.h"
#include "base/user_name.h"
#include "daemon/http_message.h"
#include "logs/files.h"

namespace qdedup::daemon {
namespace {

// What follows the scheme, if `authorization` uses this one.
std::optional<std::string_view> after_scheme(std::string_view authorization, std::string_view scheme) {
  if (!equal_in_any_case(authorization.substr(0, scheme.size()), scheme)) return std::nullopt;
  authorization.remove_prefix(scheme.size());
  if (!authorization.starts_with(' ')) return std::nullopt;
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  return authorization;
}

std::optional<std::uint32_t> base64_value(char c) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t value = alphabet.find(c);
  if (value == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

// RFC 4648 with its padding.
std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const auto value = base64_value(c);
    if (!value) return std::nullopt;
    bits = (bits << 6U) | *value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
  }
  return bytes;
}

constexpr std::size_t min_token_size = 16;

// token68 of RFC 9110.
bool is_token(std::string_view text) {
  const std::size_t last = text.find_last_not_of('=');
  if (last == std::string_view::npos) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(last) + 1, [](char c) {
    return is_alphanumeric(c) || std::string_view("-._~+/").find(c) != std::string_view::npos;
  });
}

// Its time does not depend on `secret`, which is not empty.
bool same_secret(std::string_view presented, std::string_view secret) {
  std::size_t difference = presented.size() ^ secret.size();
  for (std::size_t i = 0; i < presented.size(); ++i) {
    difference |= static_cast<unsigned char>(presented[i] ^ secret[i % secret.size()]);
  }
  const volatile std::size_t result = difference;
  return result == 0;
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && text.size() <= 5;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
  });
}

// `text` is what stands between the brackets.
bool is_ipv6(std::string_view text) {
  return std::count(text.begin(), text.end(), ':') >= 2 && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || c == ':' || c == '.' || (lower(c) >= 'a' && lower(c) <= 'f');
         });
}

// Where the name or the address ends; the port may follow.
std::size_t end_of_name(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (end == std::string_view::npos) return host.size();
  return host.starts_with('[') ? end + 1 : end;
}

bool is_this_machine(std::string_view host) {
  const std::string_view name = host.substr(0, end_of_name(host));
  return name == "127.0.0.1" || name == "[::1]" || equal_in_any_case(name, "localhost");
}

constexpr std::size_t max_token_file_size = 4096;

Status check_token_file(const std::string& path, int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return errno_error(path, errno);
  if (!S_ISREG(about.st_mode)) return Error{ErrorCode::config, path + ": not a regular file"};
  if ((about.st_mode & 0077) != 0) {
    return Error{ErrorCode::config, path + ": others than its owner may use it; chmod it to 0600"};
  }
  return {};
}

}  // namespace

std::optional<Credentials> parse_credentials(std::string_view authorization) {
  if (const auto token = after_scheme(authorization, "bearer")) {
    return Credentials{Credentials::Scheme::bearer, "", std::string(*token)};
  }
  const auto encoded = after_scheme(authorization, "basic");
  if (!encoded) return std::nullopt;
  const std::optional<std::string> pair = decode_base64(*encoded);
  if (!pair || pair->find(':') == std::string::npos) return std::nullopt;
  const std::size_t colon = pair->find(':');
  if (!is_reviewer_name(std::string_view(*pair).substr(0, colon))) return std::nullopt;
  return Credentials{Credentials::Scheme::basic, pair->substr(0, colon), pair->substr(colon + 1)};
}

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
  for (const std::string& host : hosts) {
    if (!is_host(host)) return Error{ErrorCode::config, host + ": not a host, or a host and a port"};
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
  const auto is_asked = [&](const std::string& known) { return equal_in_any_case(known, hosts.front()); };
  if (std::ranges::none_of(hosts_, is_asked)) return Verdict::misdirected;
  if (authorizations.size() != 1) return Verdict::unauthorised;
  const std::optional<Credentials> credentials = parse_credentials(authorizations.front());
  if (!credentials || !same_secret(credentials->token, token_)) return Verdict::unauthorised;
  return Verdict::granted;
}

Result<std::string> read_token_file(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // NOLINT(*-vararg)
  if (!file.open()) return errno_error(path, errno);
  QDEDUP_TRY(check_token_file(path, file.number()));
  QDEDUP_ASSIGN_OR_RETURN(const auto content, logs::RegularFile::adopt(std::move(file), path));
  std::string token(max_token_file_size + 1, '\0');
  QDEDUP_ASSIGN_OR_RETURN(const std::size_t size, content.read_at(0, token));
  if (size > max_token_file_size) return Error{ErrorCode::config, path + ": too long for a token"};
  token.resize(size);
  boost::algorithm::trim_if(token, boost::algorithm::is_any_of(" \t\r\n"));
  if (token.empty()) return Error{ErrorCode::config, path + ": holds no token"};
  return token;
}

}  // namespace qdedup::daemon
