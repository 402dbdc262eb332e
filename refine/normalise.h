#pragma once

#include <string>
#include <string_view>

namespace qdedup::refine {

// The normal form in which two texts are compared (doc/rules.md, 3.1): superscripts, subscripts, circled
// characters and fractions marked, NFKC (ICU), then one spelling each for slash, hyphen, ratio sign and
// decimal digits. `text` is UTF-8 that was checked when it entered the bank, of less than a gigabyte; a
// malformed sequence becomes U+FFFD. Linear.
std::u32string normalise(std::string_view text);

// The same of a text that is decoded already.
std::u32string normalise(std::u32string_view text);

// What stands before a run of subscripts in the normal form, as `^` does before superscripts.
inline constexpr char32_t subscript_mark = U'\uE000';

}  // namespace qdedup::refine
