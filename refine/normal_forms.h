#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refine/code_point_table.h"

namespace qdedup::refine {

// The normal form (doc/rules.md, 3.1) of a whole text by ICU: what normalise() does where code points depend
// on their neighbours.
std::u32string icu_normalise(std::u32string_view text);

// What a character is that Unicode has raised or lowered: a letter, a digit or a sign.
struct ScriptCharacter {
  char base;
  bool is_raised;
};

// `code_point` as one; none if it is no such character, or its base is not ASCII.
std::optional<ScriptCharacter> script_character(char32_t code_point);

// What normalising (doc/rules.md, 3.1) makes of each code point by itself, as ICU has it. Where every code
// point of a text has a normalisation boundary before it, as in most, the normal form of the text is that of
// its code points, one after another.
class NormalForms {
 public:
  // What a code point becomes: itself, something that depends on its neighbours, or (greater than these) a
  // replacement.
  using Form = std::uint16_t;
  static constexpr Form itself = 0;
  static constexpr Form in_context = 1;

  struct Replacement {
    char32_t run_mark;  // goes before each run of code points that share it; 0 for none
    std::u32string text;
  };

  // The table, made at the first call.
  static const NormalForms& instance();

  [[nodiscard]] Form operator[](char32_t code_point) const { return forms_[code_point]; }

  // The one code point, without mark, that `code_point` becomes, be it itself or another; none if it becomes
  // several, or depends on its neighbours.
  [[nodiscard]] std::optional<char32_t> single(char32_t code_point) const;

  [[nodiscard]] const Replacement& replacement(Form form) const {
    return replacements_[form - in_context - 1U];
  }

  // Appends what `code_point` becomes by itself; itself where that depends on its neighbours. `run` is the
  // mark of the run that the one before it belongs to, 0 for none; returns that of its own.
  char32_t append(char32_t code_point, char32_t run, std::u32string& text) const;

 private:
  NormalForms();
  Form find_out(char32_t code_point);

  std::vector<Replacement> replacements_;
  CodePointTable<Form> forms_;
};

}  // namespace qdedup::refine
