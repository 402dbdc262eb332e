#include "config/listen_address.h"

#include <charconv>
#include <optional>

#include <arpa/inet.h>

namespace qdedup::config {
namespace {

bool is_loopback(const std::string& address) {
  in_addr ipv4{};
  if (inet_pton(AF_INET, address.c_str(), &ipv4) == 1) return ntohl(ipv4.s_addr) >> 24U == IN_LOOPBACKNET;
  return address == "::1";
}

std::optional<std::uint16_t> port_number(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool all = failure == std::errc() && end == text.data() + text.size();
  return all && port != 0 && text.front() != '0' ? std::optional(port) : std::nullopt;
}

// The address without the brackets that IPv6 needs, or nothing.
std::string address_part(std::string_view text) {
  const bool bracketed = text.starts_with('[') && text.ends_with(']');
  if (bracketed) text = text.substr(1, text.size() - 2);
  const bool ipv6 = text.find(':') != std::string_view::npos;
  return ipv6 == bracketed ? std::string(text) : std::string();
}

}  // namespace

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    std::string address = address_part(text.substr(0, colon));
    const auto port = port_number(text.substr(colon + 1));
    if (port && is_loopback(address)) return ListenAddress{std::move(address), *port};
  }
  return Error{
      ErrorCode::config,
      R"(must be a loopback address with a port ("127.0.0.1:9631" or "[::1]:9631"), or "" for none)"};
}

}  // namespace qdedup::config
