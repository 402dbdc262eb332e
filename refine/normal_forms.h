#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "refine/code_point_table.h"

namespace qdedup::refine {

// The normal form (doc/rules.md, 3.1) of a whole text by ICU: what normalise() does where code points depend
// on their neighbours.
std::u32string icu_normalise(std::u32string_view text);

// What normalising (doc/rules.md, 3.1) makes of each code point by itself, as ICU has it. Where every code
// point of a text has a normalisation boundary before it, as in most, the normal form of the text is that of
// its code points, one after another.
class NormalForms {
 public:
  // What a code point becomes: itself, something that depends on its neighbours, or replacement(form).
  using Form = std::uint16_t;
  static constexpr Form itself = 0;
  static constexpr Form in_context = 1;

  static constexpr char32_t no_single = 0xFFFFFFFF;

  struct Replacement {
    char32_t run_mark;  // goes before each run of code points that share it; 0 for none
    std::u32string text;
  };

  // The table, made at the first call.
  static const NormalForms& instance();

  [[nodiscard]] Form operator[](char32_t code_point) const { return forms_[code_point]; }
  // The one code point, without mark, that `code_point` becomes, be it itself or another; or no_single.
  [[nodiscard]] char32_t single(char32_t code_point) const {
    const char32_t step = steps_.at_code_point(code_point);
    return step != no_single ? code_point + step : no_single;
  }

  [[nodiscard]] const Replacement& replacement(Form form) const {
    return replacements_[form - in_context - 1U];
  }

 private:
  NormalForms();
  Form find_out(char32_t code_point);
  [[nodiscard]] char32_t step_of(char32_t code_point) const;

  std::vector<Replacement> replacements_;
  CodePointTable<Form> forms_;
  // The difference to the code point that takes its place (modulo 2^32), or no_single: a sum needs no branch.
  CodePointTable<char32_t> steps_;
};

}  // namespace qdedup::refine
