#pragma once

#include <random>
#include <string>
#include <string_view>

namespace qdedup {

// Characters that normalising or splitting treats in some way of its own, among plain ones.
inline constexpr std::u32string_view trap_alphabet =
    // ASCII with a role
    U"ab12.,:!()[]{} /-*%^+=<>|~$"
    // Superscripts and subscripts, one of each outside the lists of the rules
    U"\u00B2\u00B3\u00B9\u2070\u2071\u2074\u207A\u207F\u2080\u2081\u2089\u208E\u2090"
    // Fractions and circled characters
    U"\u00BD\u2153\u215F\u2189\u2460\u2473\u24D0\u3280\u3251"
    // Slashes, hyphens, dashes, the ratio sign, primes, per mille, degree
    U"\u2044\u2215\u2010\u2013\u2014\u2212\u2236\u2032\u2033\u2057\u2030\u2031\u00B0"
    // Full-width forms and spaces
    U"\uFF01\uFF08\uFF09\uFF0C\uFF0E\uFF11\uFF1A\uFF21\uFF3B\uFF5D\u3000\u00A0\u2003\u200B"
    // Hangul jamo and syllables, kana and their voiced sound marks
    U"\u1100\u1161\u11A8\uAC00\uAC01\uFFA1\uFFC2\uFF76\uFF9E\u30AB\u3099\u304B"
    // Marks that combine, some of combining class 0
    U"\u0300\u0301\u0323\u0338\u0345\u20D7\uFE0F\u09BE\u09C7"
    // Letters that compose or decompose, ligatures, letters that never compose
    U"e\u00E9\u1EA5\u212B\u2126\u00C5\u0130\u01C5\u02B0\uFDFA\uFB01\u0F43\u0958\u2ADC"
    // Decimal digits and other numbers, squared words
    U"\u0660\u0669\u0966\U0001D7D9\U0001D400\u2160\u00BC\u32C0\u3371\u337F"
    // Private use, replacement character
    U"\uE000\uE001\uFFFD\U0010FFFF"
    // Han, and what becomes Han or looks it
    U"\u4E00\u7684\u5927\u9FFF\u3400\U00020000\U0003134A\u2E80\u2E9F\u2F00\u3005\u3007\u3021\u3038\u303B"
    U"\u31C0"
    U"\uF900\uFA0E\U0002F800\u3192"
    // Punctuation that is dropped
    U"\u3001\u3002\u300A\u300B\u2026\u2018\u00B7\u000A";

// `length` characters of `alphabet`, or of all Unicode in one of eight places.
inline std::u32string trap_text(std::mt19937_64& random, std::size_t length,
                                std::u32string_view alphabet = trap_alphabet) {
  std::u32string text;
  while (text.size() < length) {
    const bool any = random() % 8 == 0;
    const auto c = any ? static_cast<char32_t>(random() % 0x110000) : alphabet[random() % alphabet.size()];
    if (c < 0xD800 || c > 0xDFFF) text += c;
  }
  return text;
}

}  // namespace qdedup
