#pragma once

#include <cstddef>
#include <cstdint>

namespace qdedup::refine {

// What a word does in a question, as far as telling questions apart needs it.
enum class WordKind : std::uint8_t {
  content,             // what the question is about; every character that no list has
  filler,              // may come and go
  query,               // stands for what is asked; may come and go
  calculation_filler,  // may come and go where the question is to be calculated
  classifier,          // may come and go after a number
  negation,
  number,      // a number written as a word
  unit,        // a unit, or a measure word that holds an amount
  quantity,    // names quantities, or how they are counted
  relation,    // relates quantities, or tells apart the things which have them
  complement,  // a direction that a verb may carry
  person,      // a name, a kinship term, a pupil
  sign,        // a digit, a letter, a symbol
};

// A word of a text. Words of equal meaning have equal `meaning`: for a character that no list has that is
// itself, for a listed word a number beyond Unicode.
struct Word {
  WordKind kind = WordKind::content;
  char32_t meaning = 0;
  std::size_t length = 1;  // in code points

  friend bool operator==(const Word&, const Word&) = default;
};

}  // namespace qdedup::refine
