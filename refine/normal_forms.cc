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
    : forms_([this](char32_t code_point) { return find_out(code_point); }),
      steps_([this](char32_t code_point) { return step_of(code_point); }) {}

NormalForms::Form NormalForms::find_out(char32_t code_point) {
  const auto character = static_cast<UChar32>(code_point);
  if (!u_isdefined(character)) return itself;
  if (!nfkc().hasBoundaryBefore(character)) return in_context;
  if (is_nfkc(character) && one_spelling(code_point) == code_point) return itself;
  const char32_t mark = run_mark(code_point);
  std::u32string text = icu_normalise({&code_point, 1});
  if (mark != 0) text.erase(0, 1);
  replacements_.push_back({mark, std::move(text)});
  return static_cast<Form>(in_context + replacements_.size());
}

char32_t NormalForms::step_of(char32_t code_point) const {
  const Form form = forms_[code_point];
  if (form == itself) return 0;
  if (form == in_context) return no_single;
  const Replacement& becomes = replacement(form);
  const bool is_single = becomes.run_mark == 0 && becomes.text.size() == 1;
  return is_single ? becomes.text.front() - code_point : no_single;
}

}  // namespace qdedup::refine
