#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace qdedup {

// Crockford's digits of base 32, of which none looks like another.
inline constexpr std::string_view secret_digits = "0123456789abcdefghjkmnpqrstvwxyz";

// So many of these digits, of 5 random bits each, from the kernel.
std::string new_secret(std::size_t digits);

// Its time does not depend on `secret`, which is not empty.
[[nodiscard]] bool same_secret(std::string_view presented, std::string_view secret);

}  // namespace qdedup
