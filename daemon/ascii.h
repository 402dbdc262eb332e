#pragma once

#include <algorithm>
#include <string_view>

namespace qdedup::daemon {

// Characters as protocols see them, whatever the locale.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char left, char right) { return lower(left) == lower(right); });
}

}  // namespace qdedup::daemon
