#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace qdedup {

// The source of the time, so that tests can set it.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  [[nodiscard]] virtual std::chrono::system_clock::time_point now() const = 0;

  // For measuring durations: never set back or forward.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point steady_now() const {
    return std::chrono::steady_clock::now();
  }
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::chrono::system_clock::time_point now() const override {
    return std::chrono::system_clock::now();
  }
};

// RFC 3339 in UTC, to the second: "2026-11-20T03:00:12Z".
std::string timestamp(std::chrono::system_clock::time_point time);

// The inverse; none if `text` is not such a timestamp.
std::optional<std::chrono::sys_seconds> parse_timestamp(const std::string& text);

}  // namespace qdedup
