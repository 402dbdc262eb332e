#include "refine/text_forms.h"

#include "refine/character_class.h"
#include "refine/flattened_marks.h"
#include "refine/normal_forms.h"
#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// ASCII and its space in full width, whose normal form hides nothing.
bool is_wide(char32_t c) { return (c >= 0xFF01 && c <= 0xFF5E) || c == 0x3000; }

}  // namespace

TextForms::TextForms(std::string_view utf8)
    : utf8_(utf8), original_(to_utf32(utf8)), characters_(original_.size(), U'\0') {
  std::optional<Parts> parts = parts_of_singles(original_, characters_);
  if (!parts) {
    read_others();
    return;
  }
  parts_ = *std::move(parts);
  for (std::size_t i = 0; i < original_.size(); ++i)
    is_flattened_ |= characters_[i] != original_[i] && !is_wide(original_[i]);
}

// Where code points become several, or what stands beside them counts.
void TextForms::read_others() {
  characters_.clear();
  origins_.reserve(original_.size());
  bool is_in_context = false;
  char32_t run = 0;
  const NormalForms& forms = NormalForms::instance();
  for (std::size_t i = 0; i < original_.size(); ++i) {
    const NormalForms::Form form = forms[original_[i]];
    is_in_context |= form == NormalForms::in_context;
    is_flattened_ |= form > NormalForms::in_context && !is_wide(original_[i]);
    run = forms.append(original_[i], run, characters_);
    origins_.resize(characters_.size(), i);
  }
  is_flattened_ |= is_in_context;
  if (is_in_context) in_context_ = icu_normalise(original_);
  parts_ = split(normal());
}

std::u32string TextForms::with_flattened_marks() const {
  return is_flattened_ ? refine::with_flattened_marks(original_) : std::u32string(normal());
}

std::u32string kept_characters(const TextForms& text) {
  std::u32string kept;
  bool after_digit = false;
  bool after_point = false;
  const CodePointTable<CharacterClass>& classes = character_classes();
  kept.reserve(text.normal().size());
  for (const char32_t c : text.normal()) {
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
