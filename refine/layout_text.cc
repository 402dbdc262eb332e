#include "refine/layout_text.h"

#include "refine/character_class.h"
#include "refine/normal_forms.h"
#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::refine {

LayoutText layout_text(std::string_view text) {
  const std::u32string original = to_utf32(text);
  const NormalForms& forms = NormalForms::instance();
  LayoutText normal;
  normal.characters.reserve(original.size());
  normal.origins.reserve(original.size());
  char32_t run = 0;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const NormalForms::Form form = forms[original[i]];
    if (form == NormalForms::itself || form == NormalForms::in_context) {
      normal.characters.push_back(original[i]);
      normal.origins.push_back(i);
      run = 0;
    } else {
      const NormalForms::Replacement& replacement = forms.replacement(form);
      if (replacement.run_mark != 0 && replacement.run_mark != run)
        normal.characters.push_back(replacement.run_mark);
      run = replacement.run_mark;
      normal.characters += replacement.text;
      normal.origins.resize(normal.characters.size(), i);
    }
  }
  return normal;
}

std::u32string kept_characters(std::string_view text) {
  std::u32string kept;
  bool after_digit = false;
  bool after_point = false;
  const CodePointTable<CharacterClass>& classes = character_classes();
  const std::u32string normal = normalise(text);
  kept.reserve(normal.size());
  for (const char32_t c : normal) {
    const CharacterClass kind = classes[c];
    const bool digit = kind == CharacterClass::digit;
    if (digit && after_point) kept.push_back(U'.');
    if (is_kept(kind)) kept.push_back(digit && !after_digit && !after_point ? c | starts_number : c);
    after_point = after_digit && c == U'.';
    after_digit = digit;
  }
  return kept;
}

}  // namespace qdedup::refine
