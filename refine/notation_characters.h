#pragma once

#include <cstddef>
#include <string_view>

#include <unicode/uchar.h>

#include "base/ascii.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

// Classes of characters, for what reads notation.
namespace qdedup::refine {

inline bool is_greek(char32_t c) { return c >= U'Α' && c <= U'ω'; }
inline bool is_operand(char32_t c) { return is_letter(c) || is_digit(c) || is_greek(c); }
inline bool is_operator(char32_t c) { return is_one_of(c, rule_words::operators); }
inline bool is_relation(char32_t c) { return is_one_of(c, U"=<>≤≥≠"); }
inline bool is_quote(char32_t c) { return is_one_of(c, U"'’`ʹ‵"); }
inline bool is_double_quote(char32_t c) { return is_one_of(c, U"\"“”"); }

// Of a product, of decimals that recur, or in a list.
inline bool is_point(char32_t c) { return is_one_of(c, U"·•・‧"); }

// What markup/marks.h puts between cells, and between rows of a matrix.
inline bool is_border(char32_t c) { return c == 0x2063 || c == 0x2064; }

// A low line, what tells it from a plain one, dots, or another type, as words are marked.
inline constexpr std::u32string_view emphases = U"\u0332\u033C\u0320\u0333\u20E8\u0347";
inline bool is_emphasis(char32_t c) { return is_one_of(c, emphases); }

// Chinese input methods write a minus as a dash.
inline bool is_dash(char32_t c) { return is_one_of(c, U"—―﹘⁃"); }

// The accents of letters and vowels of Thai, but not what chooses how an emoji is drawn.
inline bool is_combining(char32_t c) {
  const bool is_mark = c >= 0x300 && (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_M_MASK) != 0;
  return is_mark && u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_VARIATION_SELECTOR) == 0;
}

// 0 behind the end.
inline char32_t character_at(std::u32string_view text, std::size_t place) {
  return place < text.size() ? text[place] : 0;
}

// The first from there on that is no white space.
inline char32_t character_behind_space(std::u32string_view text, std::size_t begin) {
  return character_at(text, text.find_first_not_of(U" \t\r\n", begin));
}

}  // namespace qdedup::refine
