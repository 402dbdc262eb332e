#pragma once

#include <cstdint>

#include "refine/code_point_table.h"

namespace qdedup::refine {

// The rows of the table by which a normalised text is split (rules, 3.2).
enum class CharacterClass : std::uint8_t {
  dropped,      // punctuation, marks, controls, all else
  white,        // dropped too, and looked through beside a colon
  han,          // of script Han, whatever else it is
  comma,        // ,
  digit,        // 0 to 9
  letter,       // any other letter
  opening,      // ( [ {
  closing,      // ) ] }
  colon,        // :
  exclamation,  // !
  sign,  // always a sign of its own: symbols, numbers that are no digits, - * / % ‰ ‱ ′ ″ and U+E000
};

// The class of every code point, from ICU's properties. Made at the first call.
const CodePointTable<CharacterClass>& character_classes();

}  // namespace qdedup::refine
