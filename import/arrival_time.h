#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace qdedup::import {

// Seconds since 1970, from 0 to the end of the year 9999: of digits and nothing else, or of RFC 3339
// ("2026-11-20T03:00:12Z", "2026-11-20 11:00:12.5+08:00"; a fraction is cut off, a leap second counts as the
// one before). None if it is neither.
[[nodiscard]] std::optional<std::int64_t> parse_arrival_time(std::string_view text);

}  // namespace qdedup::import
