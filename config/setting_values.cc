#include "config/setting_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <arpa/inet.h>

#include "base/ascii.h"
#include "base/host.h"
#include "base/parse_number.h"

namespace qdedup::config {
namespace {

constexpr std::int64_t week = std::int64_t{7} * 86'400;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units = {
    {{"d", 86'400}, {"h", 3600}, {"min", 60}, {"s", 1}}};

bool is_loopback(const std::string& address) {
  in_addr ipv4{};
  if (inet_pton(AF_INET, address.c_str(), &ipv4) == 1) return ntohl(ipv4.s_addr) >> 24U == IN_LOOPBACKNET;
  return address == "::1";
}

// The address without the brackets that IPv6 needs; empty if they are missing or misplaced.
std::string address_part(std::string_view text) {
  const bool bracketed = text.starts_with('[') && text.ends_with(']');
  if (bracketed) text = text.substr(1, text.size() - 2);
  const bool ipv6 = text.find(':') != std::string_view::npos;
  return ipv6 == bracketed ? std::string(text) : std::string();
}

constexpr std::uint64_t whole = 10'000;  // hundredths of a percent
constexpr std::size_t longest_number = 3;

std::optional<std::uint64_t> digits(std::string_view text) {
  return text.size() <= longest_number ? parse_number<std::uint64_t>(text) : std::nullopt;
}

// "12.5" as 1250.
std::optional<std::uint64_t> hundredths(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole_units = digits(text.substr(0, point));
  if (!whole_units || point == std::string_view::npos)
    return whole_units ? std::optional(*whole_units * 100) : std::nullopt;
  const std::string_view decimals = text.substr(point + 1);
  const auto fraction = digits(decimals);
  if (!fraction || decimals.size() > 2) return std::nullopt;
  return *whole_units * 100 + *fraction * (decimals.size() == 1 ? 10 : 1);
}

bool consists_of(std::string_view text, std::string_view others) {
  return std::ranges::all_of(
      text, [others](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; });
}

// A part of the path of an address.
bool is_path(std::string_view text) { return consists_of(text, "-._~!$&'()*+,;=:%/"); }

// "files.example", "127.0.0.1:8080", "[::1]".
bool is_host_with_port(std::string_view text) {
  const std::string_view name = name_in_host(text);
  const bool is_port_0 = name != text && text.find_first_not_of(":0", name.size()) == std::string_view::npos;
  if (!is_host(text) || is_port_0) return false;
  return name.starts_with('[') || (is_alphanumeric(name.front()) && consists_of(name, "-."));
}

}  // namespace

std::optional<std::chrono::seconds> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || count < 0 || count > week) return std::nullopt;
  for (const auto& [name, seconds] : units) {
    if (std::string_view(unit, static_cast<std::size_t>(end - unit)) != name) continue;
    if (count * seconds <= week) return std::chrono::seconds(count * seconds);
  }
  return std::nullopt;
}

std::string to_string(std::chrono::seconds duration) {
  std::size_t unit = units.size() - 1;
  while (unit > 0 && duration.count() > 0 && duration.count() % units.at(unit - 1).second == 0) --unit;
  return std::to_string(duration.count() / units.at(unit).second) + std::string(units.at(unit).first);
}

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    std::string address = address_part(text.substr(0, colon));
    const auto port = parse_number<std::uint16_t>(text.substr(colon + 1));
    if (port && text[colon + 1] != '0' && is_loopback(address))
      return ListenAddress{std::move(address), *port};
  }
  return Error{
      ErrorCode::config,
      R"(must be a loopback address with a port ("127.0.0.1:9631" or "[::1]:9631"), or "" for none)"};
}

Result<std::string> origin_of_image_url(std::string_view text) {
  const std::size_t host_begin = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
  const std::size_t path_begin = text.find('/', host_begin);
  const std::string_view path = path_begin < text.size() ? text.substr(path_begin) : std::string_view();
  constexpr std::string_view gap = "{name}";
  const std::size_t name = path.find(gap);
  if (host_begin > 0 && name != std::string_view::npos && is_path(path.substr(0, name)) &&
      is_path(path.substr(name + gap.size())) &&
      is_host_with_port(text.substr(host_begin, path_begin - host_begin))) {
    return std::string(text.substr(0, path_begin));
  }
  return Error{ErrorCode::config,
               R"(must be an address with {name} once in its path, as "https://files.example/{name}.png", )"
               R"(of http or https and without user, query, fragment or spaces, or "" for none)"};
}

Status expect_public_url(std::string_view text) {
  constexpr std::string_view scheme = "https://";
  if (text.starts_with(scheme) && is_host_with_port(text.substr(scheme.size())) && !text.ends_with(":443"))
    return {};
  return Error{
      ErrorCode::config,
      R"(must be "https://", a host and, unless it is 443, a port ("https://dedup.school.example"), or "" for none)"};
}

bool DeletionLimit::exceeded_by(std::uint64_t deletions, std::uint64_t questions) const {
  if (kind == Kind::count) return deletions > value;
  return kind == Kind::share && deletions * whole > value * questions;
}

Result<DeletionLimit> parse_deletion_limit(std::string_view text) {
  if (text == "none") return DeletionLimit{};
  const auto share = text.ends_with('%') ? hundredths(text.substr(0, text.size() - 1)) : std::nullopt;
  if (share && *share <= whole) return DeletionLimit{DeletionLimit::Kind::share, *share};
  return Error{ErrorCode::config, R"(must be a number, a share of the bank such as "5%", or "none")"};
}

std::string text_of(const DeletionLimit& limit) {
  if (limit.kind == DeletionLimit::Kind::none) return "none";
  if (limit.kind == DeletionLimit::Kind::count) return std::to_string(limit.value);
  std::string text = std::to_string(limit.value / 100);
  if (limit.value % 100 != 0) text += "." + std::to_string(limit.value % 100 + 100).substr(1);
  return text + "%";
}

}  // namespace qdedup::config
