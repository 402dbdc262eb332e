#include "refine/normalise.h"

#include <cstddef>

#include "refine/icu_normalise.h"
#include "refine/normal_forms.h"
#include "refine/unicode.h"
#include "refine/utf8_reader.h"

namespace qdedup::refine {

std::u32string normalise(std::string_view text) {
  const NormalForms& forms = NormalForms::instance();
  std::u32string result;
  result.reserve(text.size());
  char32_t run = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = next_code_point(text, at);
    const NormalForms::Form form = forms[code_point];
    if (form == NormalForms::itself) {
      result.push_back(code_point);
      run = 0;
    } else if (form == NormalForms::in_context) {
      return icu_normalise(to_utf32(text));
    } else {
      const NormalForms::Replacement& replacement = forms.replacement(form);
      if (replacement.run_mark != 0 && replacement.run_mark != run) result.push_back(replacement.run_mark);
      run = replacement.run_mark;
      result += replacement.text;
    }
  }
  return result;
}

}  // namespace qdedup::refine
