#include "refine/normal_forms.h"

#include <utility>

#include <unicode/uchar.h>

#include "refine/icu_normalise.h"

namespace qdedup::refine {
namespace {

bool is_nfkc(UChar32 character) {
  return u_getIntPropertyValue(character, UCHAR_NFKC_QUICK_CHECK) == UNORM_YES;
}

}  // namespace

const NormalForms& NormalForms::instance() {
  static const NormalForms forms;
  return forms;
}

NormalForms::NormalForms()
    : steps_{0, no_single}, forms_([this](char32_t code_point) { return find_out(code_point); }) {}

NormalForms::Form NormalForms::find_out(char32_t code_point) {
  const auto character = static_cast<UChar32>(code_point);
  if (!u_isdefined(character)) return itself;
  if (!nfkc().hasBoundaryBefore(character)) return in_context;
  if (is_nfkc(character) && one_spelling(code_point) == code_point) return itself;
  const char32_t mark = run_mark(code_point);
  std::u32string text = icu_normalise({&code_point, 1});
  if (mark != 0) text.erase(0, 1);
  const bool is_single = mark == 0 && text.size() == 1;
  steps_.push_back(is_single ? text.front() - code_point : no_single);
  replacements_.push_back({mark, std::move(text)});
  return static_cast<Form>(in_context + replacements_.size());
}

}  // namespace qdedup::refine
