#include "miner/result_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "miner/digits.h"

namespace qdedup::miner {
namespace {

// Digits as written. `value` is exact for up to 19 of them.
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
// power of ten is exact too, so their quotient is rounded only once (W. D. Clinger, "How to read floating
// point numbers accurately", PLDI 1990). For other numbers returns false and leaves the cursor.
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

// The exponent of a JSON number, beginning with its sign; limited to a value that no number of digits can
// outweigh.
std::int64_t exponent_value(std::string_view exponent) {
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 2;
  std::int64_t value = limit;  // unchanged if out of range
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  value = std::min(value, limit);
  return negative ? -value : value;
}

// Whether a JSON number that is far from 1 is large, as opposed to close to zero.
bool is_large(std::string_view number) {
  const std::size_t exponent_at = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, exponent_at);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto magnitude =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digits.find_first_of("123456789"));
  const bool has_exponent = exponent_at != std::string_view::npos;
  return magnitude + (has_exponent ? exponent_value(number.substr(exponent_at + 1)) : 0) > 0;
}

// `number` is a JSON number. from_chars reports "out of range" for too large and too small ones alike.
bool to_double(std::string_view number, double& value) {
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc{}) return true;
  if (is_large(number)) return false;
  value = number.front() == '-' ? -0.0 : 0.0;
  return true;
}

// At most this many bytes are read from the start of a pair.
constexpr std::size_t reach = 32;

// Reads the digits of an id; returns how many there are, or 0.
std::size_t read_plain_id(const char* at, QuestionId& id) {
  const std::uint64_t word = digit_word(at);
  const std::size_t count = leading_digits(word);
  if (count == 0 || *at == '0') return 0;
  if (count < 8) {
    id = static_cast<QuestionId>(first_digits(word, count));
    return count;
  }
  const std::uint64_t more = digit_word(at + 8);
  const std::size_t more_count = leading_digits(more);
  if (more_count == 8) return 0;
  id = static_cast<QuestionId>(eight_digits(word)) * powers_of_ten[more_count] +
       static_cast<QuestionId>(first_digits(more, more_count));
  return 8 + more_count;
}

// The digits of a score, the one before the point and up to five after it, next to each other.
std::uint64_t score_word(std::uint64_t word) {
  constexpr std::uint64_t no_digit = std::uint64_t{0xFF} << 56U;
  return (word >> 8U & ~std::uint64_t{0xFF}) | (word & 0xFF) | no_digit;
}

bool has_point(std::uint64_t word) { return (word >> 8U & 0xFF) == ('.' ^ '0'); }

// Reads a score; returns the number of its decimals, or 0. The quotient is the nearest double because both
// numbers are exact.
std::size_t read_plain_score(const char* at, double& score) {
  constexpr std::size_t max_decimals = 5;
  const std::uint64_t word = digit_word(at);
  const std::uint64_t digits = score_word(word);
  const std::size_t count = leading_digits(digits);
  if (!has_point(word) || count < 2 || count > max_decimals + 1) return 0;
  score = static_cast<double>(static_cast<std::int64_t>(first_digits(digits, count))) /
          static_cast<double>(powers_of_ten[count - 1]);
  return count - 1;
}

// The lengths of the numbers in a pair. Neighbouring pairs mostly have the same; checking that, instead of
// counting, lets the processor begin with the next pair before it has finished this one.
struct PairShape {
  std::size_t id_digits = 0;
  std::size_t decimals = 0;
  double scale = 1;

  [[nodiscard]] bool is_known() const { return id_digits >= 8; }
  [[nodiscard]] std::size_t score_begin() const { return id_digits + 2; }
  [[nodiscard]] std::size_t closing() const { return id_digits + decimals + 4; }
};

// Reads a pair of any shape, and sets `shape` to that. Returns the end of the pair, or null.
const char* read_pair(const char* at, PairShape& shape, ScoredId& pair) {
  if (*at != '[') return nullptr;
  shape.id_digits = read_plain_id(at + 1, pair.id);
  if (shape.id_digits == 0 || at[1 + shape.id_digits] != ',') return nullptr;
  shape.decimals = read_plain_score(at + shape.score_begin(), pair.score);
  if (shape.decimals == 0 || at[shape.closing()] != ']') return nullptr;
  shape.scale = static_cast<double>(powers_of_ten[shape.decimals]);
  return at + shape.closing() + 1;
}

bool are_digits(std::uint64_t word) { return other_bytes(word) == 0; }

// Reads a pair if it has the given shape.
bool read_alike(const char* at, const PairShape& shape, ScoredId& pair) {
  const std::uint64_t head = digit_word(at + 1);
  const std::uint64_t tail = digit_word(at + shape.id_digits - 7);
  const std::uint64_t word = digit_word(at + shape.score_begin());
  const std::uint64_t digits = first_bytes(score_word(word), shape.decimals + 1);
  const bool alike = are_digits(head) && are_digits(tail) && are_digits(digits) && has_point(word) &&
                     *at == '[' && at[1] != '0' && at[1 + shape.id_digits] == ',' &&
                     at[shape.closing()] == ']';
  if (!alike) return false;
  pair.id =
      static_cast<QuestionId>(first_digits(head, shape.id_digits - 8) * 100'000'000 + eight_digits(tail));
  pair.score = static_cast<double>(static_cast<std::int64_t>(eight_digits(digits))) / shape.scale;
  return true;
}

// Reads pairs that begin before `end`; `reach` bytes beyond that must be readable. Returns the end of the
// last pair, or null.
const char* read_run(const char* at, const char* end, std::vector<ScoredId>& pairs) {
  const char* read_to = nullptr;
  PairShape shape;
  std::size_t gap = 1;  // a comma, and perhaps a space
  while (at < end) {
    ScoredId pair{};
    if (shape.is_known() && read_alike(at, shape, pair)) {
      read_to = at + shape.closing() + 1;
    } else {
      const char* const pair_end = read_pair(at, shape, pair);
      if (pair_end == nullptr) return read_to;
      read_to = pair_end;
      gap = read_to[1] == ' ' ? 2 : 1;
    }
    pairs.push_back(pair);
    if (*read_to != ',' || (gap == 2 && read_to[1] != ' ')) return read_to;
    at = read_to + gap;
  }
  return read_to;
}

bool read_pair(JsonCursor& cursor, ScoredId& pair) {
  return cursor.take('[') && read_id(cursor, pair.id) && cursor.take(',') && read_score(cursor, pair.score) &&
         cursor.take(']');
}

// Passes over a pair, and locates its parts.
bool skip_pair(JsonCursor& cursor, JsonCursor& id, JsonCursor& score) {
  if (!cursor.take('[')) return false;
  id = cursor;
  if (!cursor.skip_value() || !cursor.take(',')) return false;
  score = cursor;
  return cursor.skip_value() && cursor.take(']');
}

// The same for a hit of any other shape.
bool skip_hit(JsonCursor& cursor, const HitShape& shape, JsonCursor& id, JsonCursor& score) {
  id = cursor;
  score = cursor;
  return cursor.skip_value() && find(shape.id, id) && find(shape.score, score);
}

// Whether the valid JSON value at the cursor is a number that `read` accepts or, if allowed, a string that
// contains one.
template <class Number>
bool read_number(JsonCursor cursor, bool may_be_quoted, bool (*read)(JsonCursor&, Number&), Number& number) {
  cursor.skip_space();
  const char* const begin = cursor.position();
  cursor.skip_value();
  std::string_view text(begin, static_cast<std::size_t>(cursor.position() - begin));
  std::string content;
  if (may_be_quoted && text.front() == '"') text = content = string_content(text);
  const bool begins_with_space = !text.empty() && text.front() <= ' ';
  JsonCursor digits(text);
  return !begins_with_space && read(digits, number) && digits.rest().empty();
}

// Reads a hit of any shape, or returns what is wrong with it.
std::optional<Rejection> read_hit(JsonCursor& cursor, const HitShape& shape, ScoredId& hit) {
  JsonCursor id = cursor;
  JsonCursor score = cursor;
  const bool fits = shape.are_pairs() ? skip_pair(cursor, id, score) : skip_hit(cursor, shape, id, score);
  if (!fits) return Rejection::bad_pair;
  if (!read_number(id, shape.quoted_numbers, read_id, hit.id)) return Rejection::bad_id;
  if (!read_number(score, shape.quoted_numbers, read_score, hit.score)) return Rejection::bad_score;
  return std::nullopt;
}

}  // namespace

std::string_view name(Rejection rejection) {
  static constexpr std::array<std::string_view, rejection_count> names = {
      "blank",         "too_long",   "too_deep",   "nul_byte", "bad_utf8", "bad_json",
      "trailing_data", "no_results", "not_a_list", "bad_pair", "bad_id",   "bad_score",
  };
  return names.at(static_cast<std::size_t>(rejection));
}

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

// The last pairs are read from a copy, because bytes beyond the end of the text must not be read.
bool read_plain_pairs(JsonCursor& cursor, std::vector<ScoredId>& pairs) {
  const std::string_view text = cursor.rest();
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const char* read_to = nullptr;
  if (text.size() > reach) {
    read_to = read_run(at, end - reach, pairs);
    if (read_to == nullptr) return false;
    cursor.move_to(read_to);
    at = read_to;
    if (at == end || *at != ',') return true;
    at += end - at > 1 && at[1] == ' ' ? 2 : 1;
  }
  if (static_cast<std::size_t>(end - at) > 2 * reach) return read_to != nullptr;
  std::array<char, 3 * reach> tail{};
  std::copy(at, end, tail.data());
  const char* const tail_end = tail.data() + (end - at);
  const char* const tail_read_to = read_run(tail.data(), tail_end, pairs);
  if (tail_read_to == nullptr) return read_to != nullptr;
  cursor.move_to(at + (tail_read_to - tail.data()));
  return true;
}

bool read_hits(JsonCursor& cursor, const HitShape& shape, std::vector<ScoredId>& hits) {
  if (!cursor.take('[')) return false;
  if (cursor.take(']')) return true;
  const bool are_pairs = shape.are_pairs();
  const bool are_bare_pairs = are_pairs && !shape.quoted_numbers;
  do {
    if (are_pairs && read_plain_pairs(cursor, hits)) continue;
    ScoredId hit{};
    if (are_bare_pairs ? !read_pair(cursor, hit) : read_hit(cursor, shape, hit).has_value()) return false;
    hits.push_back(hit);
  } while (cursor.take(','));
  return cursor.take(']');
}

Rejection fault_of_hits(JsonCursor cursor, const HitShape& shape) {
  if (!cursor.take('[')) return Rejection::not_a_list;
  std::optional<Rejection> fault;
  ScoredId hit{};
  while (!(fault = read_hit(cursor, shape, hit))) cursor.take(',');
  return *fault;
}

}  // namespace qdedup::miner
