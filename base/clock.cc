#include "base/clock.h"

#include <array>
#include <ctime>

namespace qdedup {

std::string timestamp(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

std::optional<std::chrono::sys_seconds> parse_timestamp(const std::string& text) {
  std::tm utc{};
  const char* const end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  if (end == nullptr || *end != '\0') return std::nullopt;
  const std::chrono::sys_seconds time(std::chrono::seconds(timegm(&utc)));
  return timestamp(time) == text ? std::optional(time) : std::nullopt;  // refuses 02-31 and 3:04
}

}  // namespace qdedup
