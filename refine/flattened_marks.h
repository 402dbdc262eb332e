#pragma once

#include <string>
#include <string_view>

namespace qdedup::refine {

// The normal form of a text, with a mark where it hides something: before each raised or lowered letter that
// gets none there (3ˣ), behind a raised or lowered run if the end could be taken to be elsewhere (2ⁿ⁻¹ is not
// 2ⁿ-1), behind a number that has a point of its own before a digit (⒈5) and between Roman ones (ⅠⅡ), and in
// place of a vertical bar (︱, ︳), an arc (︵AB) or a negation (﹁p). `text` is decoded. Linear.
std::u32string with_flattened_marks(std::u32string_view text);

inline constexpr char32_t vertical_bar_mark = 0xFDD3;
inline constexpr char32_t arc_mark = 0xFDD5;
inline constexpr char32_t negation_mark = 0xFDD6;

// Is it one of these marks? They are noncharacters, of which texts make no use.
constexpr bool is_flattened_mark(char32_t c) { return c >= 0xFDD0 && c <= negation_mark; }

}  // namespace qdedup::refine
