#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

// A number in 16 hexadecimal digits.
inline std::string hexadecimal(std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 64; shift > 0; shift -= 4) text += digits[number >> (shift - 4) & 15U];
  return text;
}

}  // namespace qdedup
