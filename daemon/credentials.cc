#include "daemon/credentials.h"

#include <algorithm>
#include <cstdint>

#include "base/reviewer_name.h"
#include "daemon/ascii.h"

namespace qdedup::daemon {
namespace {

// What stands behind the name of the scheme, if it is this one.
std::optional<std::string_view> behind_scheme(std::string_view authorization, std::string_view scheme) {
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
  int held = 0;
  for (const char c : text) {
    const auto value = base64_value(c);
    if (!value) return std::nullopt;
    bits = (bits << 6U) | *value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> static_cast<unsigned>(held)) & 0xFFU);
  }
  return bytes;
}

}  // namespace

std::optional<Credentials> parse_credentials(std::string_view authorization) {
  if (const auto token = behind_scheme(authorization, "bearer")) {
    return Credentials{Credentials::Scheme::bearer, "", std::string(*token)};
  }
  const auto encoded = behind_scheme(authorization, "basic");
  if (!encoded) return std::nullopt;
  const std::optional<std::string> pair = decode_base64(*encoded);
  if (!pair || pair->find(':') == std::string::npos) return std::nullopt;
  const std::size_t colon = pair->find(':');
  if (!is_reviewer_name(std::string_view(*pair).substr(0, colon))) return std::nullopt;
  return Credentials{Credentials::Scheme::basic, pair->substr(0, colon), pair->substr(colon + 1)};
}

}  // namespace qdedup::daemon
