#include "refine/normalise.h"

#include <optional>
#include <utility>

#include "refine/normal_forms.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// The normal form by the code points one by one; none if it depends on how they stand together.
std::optional<std::u32string> one_by_one(std::u32string_view text) {
  const NormalForms& forms = NormalForms::instance();
  std::u32string result;
  result.reserve(text.size());
  char32_t run_mark = 0;  // of the code point before
  for (const char32_t code_point : text) {
    const NormalForms::Form form = forms[code_point];
    if (form == NormalForms::in_context) return std::nullopt;
    if (form == NormalForms::itself) {
      result.push_back(code_point);
      run_mark = 0;
      continue;
    }
    const NormalForms::Replacement& replacement = forms.replacement(form);
    if (replacement.run_mark != 0 && replacement.run_mark != run_mark) result.push_back(replacement.run_mark);
    run_mark = replacement.run_mark;
    result += replacement.text;
  }
  return result;
}

}  // namespace

std::u32string normalise(std::string_view text) { return normalise(DecodedText(text).code_points()); }

std::u32string normalise(std::u32string_view text) {
  std::optional<std::u32string> result = one_by_one(text);
  return result ? *std::move(result) : icu_normalise(text);
}

}  // namespace qdedup::refine
