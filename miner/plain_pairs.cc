#include "miner/plain_pairs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "miner/digits.h"

namespace qdedup::miner {
namespace {

// From the start of a pair, no byte beyond these is looked at.
constexpr std::size_t reach = 32;

// The digits of an id: their number, or 0.
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

// The digits of a score, the one before the point and up to five behind it, side by side.
std::uint64_t score_word(std::uint64_t word) {
  constexpr std::uint64_t no_digit = std::uint64_t{0xFF} << 56U;
  return (word >> 8U & ~std::uint64_t{0xFF}) | (word & 0xFF) | no_digit;
}

bool has_point(std::uint64_t word) { return (word >> 8U & 0xFF) == ('.' ^ '0'); }

// A score: the number of its decimals, or 0. The quotient is the nearest double, as both numbers are exact.
std::size_t read_plain_score(const char* at, double& score) {
  constexpr std::size_t most_decimals = 5;
  const std::uint64_t word = digit_word(at);
  const std::uint64_t digits = score_word(word);
  const std::size_t count = leading_digits(digits);
  if (!has_point(word) || count < 2 || count > most_decimals + 1) return 0;
  score = static_cast<double>(static_cast<std::int64_t>(first_digits(digits, count))) /
          static_cast<double>(powers_of_ten[count - 1]);
  return count - 1;
}

// How long the numbers of a pair are. Those of its neighbours are mostly the same; to check that, instead of
// finding it out, lets the processor go ahead to the next pair before it is done with this one.
struct PairShape {
  std::size_t id_digits = 0;
  std::size_t decimals = 0;
  double scale = 1;

  [[nodiscard]] bool is_known() const { return id_digits >= 8; }
  [[nodiscard]] std::size_t score_begin() const { return id_digits + 2; }
  [[nodiscard]] std::size_t closing() const { return id_digits + decimals + 4; }
};

// Reads a pair, whatever its shape; `shape` becomes that. Returns where the pair ends, or nothing.
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

// Reads a pair of a known shape, if it has that.
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

// Reads pairs that begin before `end`, and `reach` bytes from there on may be looked at. Returns where the
// last one ends, or nothing.
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

}  // namespace

// The last pairs are read from a copy, as looking at bytes behind the end of the text is not allowed.
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

}  // namespace qdedup::miner
