#pragma once

#include <cstdint>

#include "refine/code_point_table.h"

namespace qdedup::refine {

// The rows of the table by which a normalised text is split (doc/rules.md, 3.2).
enum class CharacterClass : std::uint8_t {
  dropped,  // punctuation, marks, controls, all else
  white,    // dropped too, and looked through beside a colon
  han,      // of script Han, whatever else it is
  digit,    // 0 to 9
  letter,   // any other letter
  sign,   // always a sign of its own: symbols, numbers that are no digits, - * / % ‰ ‱ ′ ″ and U+E000
  comma,  // ,
  opening,      // ( [ {
  closing,      // ) ] }
  colon,        // :
  exclamation,  // !
};

// Does a layout keep characters of this class? Han characters, digits, letters and symbols, but no brackets.
constexpr bool is_kept(CharacterClass kind) {
  return kind == CharacterClass::han || kind == CharacterClass::digit || kind == CharacterClass::letter ||
         kind == CharacterClass::sign;
}

// A character of a normalised text as it is split: its code point, roles and class in one number.
using ClassedCharacter = std::uint32_t;

inline constexpr unsigned roles_shift = 21;  // below them is the code point
inline constexpr unsigned class_shift = 28;  // below it are the roles
inline constexpr ClassedCharacter code_point_bits = (1U << roles_shift) - 1U;

constexpr char32_t code_point_of(ClassedCharacter character) { return character & code_point_bits; }
// A bit for each of namespace role; those above mean nothing.
constexpr unsigned roles_of(ClassedCharacter character) { return character >> roles_shift; }
constexpr CharacterClass class_of(ClassedCharacter character) {
  return static_cast<CharacterClass>(character >> class_shift);
}

// What a class means where a text is split without branches, a bit each.
namespace role {
inline constexpr unsigned han = 0;    // goes to the Han part
inline constexpr unsigned sign = 1;   // goes to the signs
inline constexpr unsigned value = 2;  // is part of a number, or a letter
inline constexpr unsigned digit = 3;
inline constexpr unsigned bound = 4;  // what becomes of it depends on its neighbours
inline constexpr unsigned comma = 5;  // bound by a digit before it
inline constexpr unsigned point = 6;  // binds a digit before it
}  // namespace role

// That of a code point; for any other number, that of U+0000, which is dropped too.
ClassedCharacter classed(char32_t code_point);

// The class of every code point, from ICU's properties. Made at the first call.
const CodePointTable<CharacterClass>& character_classes();

}  // namespace qdedup::refine
