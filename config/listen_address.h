#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace qdedup::config {

// Where the daemon answers HTTP over TCP: an address of this machine that no other machine reaches.
struct ListenAddress {
  std::string address;  // "127.0.0.1" or "::1"
  std::uint16_t port = 0;
};

// Reads "127.0.0.1:9631" (or another address of 127.0.0.0/8) or "[::1]:9631"; the port is not 0.
// ErrorCode::config.
Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace qdedup::config
