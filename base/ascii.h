#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup {

// Classes of ASCII characters, in no locale: of bytes and of code points, and to be passed on.
inline constexpr auto is_digit = [](auto c) { return c >= '0' && c <= '9'; };
inline constexpr auto is_capital = [](auto c) { return c >= 'A' && c <= 'Z'; };
inline constexpr auto is_small_letter = [](auto c) { return c >= 'a' && c <= 'z'; };
inline constexpr auto is_letter = [](auto c) { return is_capital(c) || is_small_letter(c); };
inline constexpr auto is_alphanumeric = [](auto c) { return is_digit(c) || is_letter(c); };
inline constexpr auto is_white_space = [](auto c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };

constexpr char in_lower_case(char c) { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = in_lower_case(c);
  return lower;
}

// The value of a hexadecimal digit, -1 for any other character.
constexpr int hexadecimal_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The byte that the %XX at the beginning of `text` stands for; none if there is none.
constexpr std::optional<char> percent_escape(std::string_view text) {
  if (!text.starts_with('%') || text.size() < 3) return std::nullopt;
  const int high = hexadecimal_value(text[1]);
  const int low = hexadecimal_value(text[2]);
  return high < 0 || low < 0 ? std::nullopt : std::optional(static_cast<char>(high * 16 + low));
}

// A number in 16 hexadecimal digits.
inline std::string hexadecimal(std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 64; shift > 0; shift -= 4) text += digits[number >> (shift - 4) & 15U];
  return text;
}

// Takes what stands before the first `end`, which goes too; everything if there is none.
constexpr std::string_view take_until(std::string_view& text, char end) {
  const std::string_view taken = text.substr(0, text.find(end));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

// The first of `words` that `text` begins with; empty if there is none.
template <class Words>
constexpr std::string_view prefix_in(const Words& words, std::string_view text) {
  const auto found =
      std::ranges::find_if(words, [&](std::string_view word) { return text.starts_with(word); });
  return found == std::ranges::end(words) ? std::string_view() : *found;
}

// Without these characters at its ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view outside = " \n\t\r") {
  const std::size_t first = text.find_first_not_of(outside);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(outside) + 1 - first);
}

// The words between white space.
inline std::vector<std::string_view> words_in(std::string_view text) {
  constexpr std::string_view white = " \n\t\r";
  std::vector<std::string_view> words;
  std::size_t begin = text.find_first_not_of(white);
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of(white, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(white, end);
  }
  return words;
}

// Whether there is a quote, a backslash or a control character among eight bytes.
constexpr bool has_json_special(std::uint64_t bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  // If subtracting makes a byte below 0x80 negative, it is less than what is subtracted. A borrow from the
  // byte below can make the result wrong only if that byte is itself less.
  const auto any_below = [](std::uint64_t word, unsigned char limit) {
    return (word - ones * limit) & ~word & (ones * 0x80);
  };
  return (any_below(bytes, 0x20) | any_below(bytes ^ (ones * '"'), 1) |
          any_below(bytes ^ (ones * '\\'), 1)) != 0;
}

}  // namespace qdedup
