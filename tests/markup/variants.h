#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Made questions with formulas, and the ways in which banks write them.
namespace qdedup::markup {

struct Formula {
  enum class Kind : std::uint8_t { atom, row, raised, lowered, fraction, root, nth_root };

  Kind kind = Kind::atom;
  std::string text;            // of an atom: a letter, a number, a sign, a function
  std::vector<Formula> parts;  // base and script; numerator and denominator; radicand and degree
};

// Words and formulas by turns, words first.
struct Question {
  std::vector<std::string> words;
  std::vector<Formula> formulas;  // one less than words
};

Question made_question(std::mt19937_64& random);

// The same with another number, letter or script in one place.
Question changed(Question question, std::mt19937_64& random);

// As somebody types it who has no markup.
std::string as_plain_text(const Question& question);

struct Writing {
  std::string name;  // of its kind
  std::string text;
};

// One of each kind: of formulas, and of the page around them.
std::vector<Writing> writings_of(const Question& question, std::mt19937_64& random);

}  // namespace qdedup::markup
