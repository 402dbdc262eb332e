#include "import/arrival_time.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "base/parse_number.h"

namespace qdedup::import {
namespace {

constexpr std::int64_t last_second = 253'402'300'799;

// Takes the parts of a text from its front.
class TimeText {
 public:
  explicit TimeText(std::string_view text) : rest_(text) {}

  // Exactly so many digits.
  std::optional<int> number(std::size_t digits, int least, int most) {
    if (count_digits() < digits) return std::nullopt;
    const auto value = parse_number<int>(rest_.substr(0, digits));
    rest_.remove_prefix(digits);
    return value < least || value > most ? std::nullopt : value;
  }

  bool one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    last_ = rest_.front();
    rest_.remove_prefix(1);
    return true;
  }

  bool digits() {
    const std::size_t count = count_digits();
    rest_.remove_prefix(count);
    return count > 0;
  }

  [[nodiscard]] char last() const { return last_; }  // that one_of() took
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  [[nodiscard]] std::size_t count_digits() const {
    return std::min(rest_.find_first_not_of("0123456789"), rest_.size());
  }

  std::string_view rest_;
  char last_ = '\0';
};

std::optional<std::chrono::sys_days> take_date(TimeText& text) {
  const auto year = text.number(4, 1970, 9999);
  if (!year || !text.one_of("-")) return std::nullopt;
  const auto month = text.number(2, 1, 12);
  if (!month || !text.one_of("-")) return std::nullopt;
  const auto day = text.number(2, 1, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  return date.ok() ? std::optional<std::chrono::sys_days>(date) : std::nullopt;
}

std::optional<std::chrono::seconds> take_time(TimeText& text) {
  const auto hours = text.number(2, 0, 23);
  if (!hours || !text.one_of(":")) return std::nullopt;
  const auto minutes = text.number(2, 0, 59);
  if (!minutes || !text.one_of(":")) return std::nullopt;
  const auto seconds = text.number(2, 0, 60);
  if (!seconds || (text.one_of(".") && !text.digits())) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes) +
         std::chrono::seconds(std::min(*seconds, 59));
}

// How much a clock there is ahead of UTC.
std::optional<std::chrono::seconds> take_offset(TimeText& text) {
  if (text.one_of("Zz")) return std::chrono::seconds(0);
  if (!text.one_of("+-")) return std::nullopt;
  const bool is_behind = text.last() == '-';
  const auto hours = text.number(2, 0, 23);
  if (!hours || !text.one_of(":")) return std::nullopt;
  const auto minutes = text.number(2, 0, 59);
  if (!minutes) return std::nullopt;
  const std::chrono::seconds offset = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  return is_behind ? -offset : offset;
}

std::optional<std::int64_t> parse_rfc3339(std::string_view whole) {
  TimeText text(whole);
  const auto date = take_date(text);
  if (!date || !text.one_of("Tt ")) return std::nullopt;
  const auto time = take_time(text);
  if (!time) return std::nullopt;
  const auto offset = take_offset(text);
  if (!offset || !text.at_end()) return std::nullopt;
  return (std::chrono::sys_seconds(*date) + *time - *offset).time_since_epoch().count();
}

}  // namespace

std::optional<std::int64_t> parse_arrival_time(std::string_view text) {
  auto seconds = parse_number<std::int64_t>(text);
  if (!seconds) seconds = parse_rfc3339(text);
  return seconds && *seconds >= 0 && *seconds <= last_second ? seconds : std::nullopt;
}

}  // namespace qdedup::import
