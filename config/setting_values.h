#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

// Settings with a syntax of their own.
namespace qdedup::config {

// A number of seconds, minutes, hours or days, up to a week: "90s", "10min", "1h", "2d".
std::optional<std::chrono::seconds> parse_duration(std::string_view text);

// The inverse, in the largest unit that gives a whole number.
std::string to_string(std::chrono::seconds duration);

// Where the daemon listens for HTTP over TCP: a loopback address of this machine.
struct ListenAddress {
  std::string address;  // "127.0.0.1" or "::1"
  std::uint16_t port = 0;
};

// Parses "127.0.0.1:9631" (or another address of 127.0.0.0/8) or "[::1]:9631"; the port is not 0. Fails with
// ErrorCode::config.
Result<ListenAddress> parse_listen_address(std::string_view text);

// The origin of an address of pictures, which has "{name}" once in its path: "https://files.example" of
// "https://files.example/q/{name}.png". It is of http or https, without user, query or fragment.
// ErrorCode::config.
Result<std::string> origin_of_image_url(std::string_view text);

// An address at which a proxy serves the daemon's page: "https://dedup.school.example", of https, without a
// path. ErrorCode::config.
Status expect_public_url(std::string_view text);

// How many deletions one iteration may list before people have to look at it first.
struct DeletionLimit {
  enum class Kind : std::uint8_t { none, count, share };

  Kind kind = Kind::none;
  std::uint64_t value = 0;  // of a share: hundredths of a percent of the bank

  // Whether this many deletions are too many for a bank of this many questions.
  [[nodiscard]] bool exceeded_by(std::uint64_t deletions, std::uint64_t questions) const;

  friend bool operator==(const DeletionLimit&, const DeletionLimit&) = default;
};

// "none", or a share of the bank with at most two decimals: "5%", "0.25%". Counts are numbers in the config.
Result<DeletionLimit> parse_deletion_limit(std::string_view text);

// The inverse: "none", "500", "5%".
std::string text_of(const DeletionLimit& limit);

}  // namespace qdedup::config
