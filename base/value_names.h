#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace qdedup {

// The names of some values, as the config has them.
template <class Value, std::size_t Size>
using ValueNames = std::array<std::pair<Value, std::string_view>, Size>;

// Empty for a value without a name.
template <class Value, std::size_t Size>
constexpr std::string_view name_in(const ValueNames<Value, Size>& names, Value wanted) {
  for (const auto& [value, name] : names) {
    if (value == wanted) return name;
  }
  return {};
}

// The inverse: none for a text that names no value.
template <class Value, std::size_t Size>
constexpr std::optional<Value> value_in(const ValueNames<Value, Size>& names, std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace qdedup
