#include "miner/json_number.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "miner/digits.h"

namespace qdedup::miner {
namespace {

// Digits as they stand in the text. `value` is exact for up to 19 of them.
struct Digits {
  std::uint64_t value = 0;
  std::size_t count = 0;
};

Digits read_digits(std::string_view text) {
  Digits digits;
  while (text.size() - digits.count >= 8) {
    const std::uint64_t word = digit_word(text.data() + digits.count);
    const std::size_t count = leading_digits(word);
    if (count == 0) return digits;
    digits.value = digits.value * static_cast<std::uint64_t>(powers_of_ten[count]) +
                   eight_digits(word << (64 - 8 * count));
    digits.count += count;
    if (count < 8) return digits;
  }
  while (digits.count < text.size() && is_digit(text[digits.count])) {
    digits.value = digits.value * 10 + static_cast<std::uint64_t>(text[digits.count] - '0');
    ++digits.count;
  }
  return digits;
}

// Reads a number without sign and exponent whose digits, taken as one integer, are exact in a double. The
// power of ten is exact too, so that their quotient is rounded only once (W. D. Clinger, "How to read
// floating point numbers accurately", PLDI 1990). Other numbers: false, and the cursor stays.
bool read_short_decimal(JsonCursor& cursor, double& score) {
  constexpr std::int64_t max_exact_integer = std::int64_t{1} << std::numeric_limits<double>::digits;
  std::string_view text = cursor.rest();
  const Digits whole = read_digits(text);
  if (whole.count == 0 || (whole.count > 1 && text.front() == '0')) return false;
  text.remove_prefix(whole.count);

  Digits fraction;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = read_digits(text);
    if (fraction.count == 0) return false;
    text.remove_prefix(fraction.count);
  }
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) return false;
  if (whole.count + fraction.count >= powers_of_ten.size()) return false;

  const std::int64_t scale = powers_of_ten[fraction.count];
  const std::int64_t digits =
      static_cast<std::int64_t>(whole.value) * scale + static_cast<std::int64_t>(fraction.value);
  if (digits > max_exact_integer) return false;
  score = static_cast<double>(digits) / static_cast<double>(scale);
  cursor.move_to(text.data());
  return true;
}

// The exponent of a JSON number, from its sign on; cut to what no length of digits outweighs.
std::int64_t exponent_value(std::string_view exponent) {
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 2;
  std::int64_t value = limit;  // stays when out of range
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  value = std::min(value, limit);
  return negative ? -value : value;
}

// Is a JSON number that is far from 1 large, and not close to zero?
bool is_large(std::string_view number) {
  const std::size_t exponent_at = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, exponent_at);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto magnitude =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digits.find_first_of("123456789"));
  const bool has_exponent = exponent_at != std::string_view::npos;
  return magnitude + (has_exponent ? exponent_value(number.substr(exponent_at + 1)) : 0) > 0;
}

// `number` is a JSON number. from_chars says "out of range" of the too large and of the too small alike.
bool to_double(std::string_view number, double& value) {
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc{}) return true;
  if (is_large(number)) return false;
  value = number.front() == '-' ? -0.0 : 0.0;
  return true;
}

}  // namespace

bool read_id(JsonCursor& cursor, QuestionId& id) {
  constexpr std::size_t max_id_digits = 19;
  cursor.skip_space();
  const std::string_view text = cursor.rest();
  const Digits digits = read_digits(text);
  if (digits.count == 0 || digits.count > max_id_digits || text.front() == '0') return false;
  if (digits.value > static_cast<std::uint64_t>(max_question_id)) return false;
  id = static_cast<QuestionId>(digits.value);
  cursor.move_to(text.data() + digits.count);
  return true;
}

bool read_score(JsonCursor& cursor, double& score) {
  cursor.skip_space();
  if (read_short_decimal(cursor, score)) return true;
  const char* const begin = cursor.position();
  if (!cursor.skip_number()) return false;
  return to_double({begin, static_cast<std::size_t>(cursor.position() - begin)}, score);
}

}  // namespace qdedup::miner
