#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace qdedup {

// The number that a text is, and nothing else: of integers, digits in this base, with a minus sign only where
// the type has one; of others whatever std::from_chars() reads, such as "1." and "inf".
template <class Number, class... Base>
std::optional<Number> parse_number(std::string_view text, Base... base) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, base...);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace qdedup
