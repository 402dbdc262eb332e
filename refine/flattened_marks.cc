#include "refine/flattened_marks.h"

#include <algorithm>
#include <cstddef>

#include <unicode/uchar.h>

#include "base/ascii.h"
#include "refine/normal_forms.h"
#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

enum class Script : char32_t { none = 0, raised = 0xFDD0, lowered = 0xFDD1 };
constexpr char32_t end_of_script = 0xFDD2;
constexpr char32_t end_of_own_number = 0xFDD4;
static_assert(is_flattened_mark(end_of_own_number));

bool is_digit_or_letter(char32_t c) { return u_isalnum(static_cast<UChar32>(c)) != 0 && c < 0x3000; }

// NFKC makes a dash of one and a low line of the other.
bool is_vertical_bar(char32_t c) { return c == 0xFE31 || c == 0xFE33; }

bool is_roman(char32_t c) { return c >= U'Ⅰ' && c <= U'ⅿ'; }

class FlattenedText {
 public:
  explicit FlattenedText(std::u32string_view text) : text_(text) {}

  std::u32string marked() && {
    marked_.reserve(text_.size() + 8);
    for (std::size_t at = 0; at < text_.size();) at = take(at);
    return std::move(marked_);
  }

 private:
  [[nodiscard]] Script script(std::size_t at) const {
    if (at >= text_.size() || forms_[text_[at]] <= NormalForms::in_context) return Script::none;
    switch (u_getIntPropertyValue(static_cast<UChar32>(text_[at]), UCHAR_DECOMPOSITION_TYPE)) {
      case U_DT_SUPER:
        return Script::raised;
      case U_DT_SUB:
        return Script::lowered;
      default:
        return Script::none;
    }
  }

  // What the normal form of a character by itself is, but for marks.
  [[nodiscard]] std::u32string_view form(std::size_t at) const {
    const NormalForms::Form form = at < text_.size() ? forms_[text_[at]] : NormalForms::in_context;
    if (form == NormalForms::itself) return text_.substr(at, 1);
    return form == NormalForms::in_context ? std::u32string_view() : forms_.replacement(form).text;
  }

  // ⒈5, which is no 1.5, and ⅠⅡ, which is no Ⅲ
  [[nodiscard]] bool runs_into_number(std::size_t at) const {
    if (is_roman(text_[at])) return at + 1 < text_.size() && is_roman(text_[at + 1]);
    const std::u32string_view here = form(at);
    const std::u32string_view behind = form(at + 1);
    return here.size() > 1 && is_one_of(here.back(), U".,") && !behind.empty() && is_digit(behind.front());
  }

  // NFKC makes opening brackets of an arc and of what is typed for a negation.
  [[nodiscard]] char32_t sign(std::size_t at) const {
    const char32_t c = text_[at];
    if (is_vertical_bar(c)) return vertical_bar_mark;
    if (at + 1 == text_.size() || !is_letter(text_[at + 1])) return c;
    if (c == 0xFE41) return negation_mark;
    return c == 0xFE35 ? arc_mark : c;
  }

  // Takes a character or a whole run; returns where the rest starts.
  std::size_t take(std::size_t at) {
    if (forms_[text_[at]] == NormalForms::itself) {
      marked_ += text_[at];
      return at + 1;
    }
    const Script of_run = script(at);
    if (of_run == Script::none) {
      marked_ += sign(at);
      if (runs_into_number(at)) marked_ += end_of_own_number;
      return at + 1;
    }
    std::u32string run;
    for (; script(at) == of_run; ++at) {
      const NormalForms::Replacement& form = forms_.replacement(forms_[text_[at]]);
      if (form.run_mark == 0) marked_ += static_cast<char32_t>(of_run);
      marked_ += text_[at];
      run += form.text;
    }
    if (!ends_here(run, at < text_.size() ? text_[at] : 0)) marked_ += end_of_script;
    return at;
  }

  // Would a reader of `^` and this run, all on one line, see its end? A number or a letter, with a sign or
  // not, is all of an index, and so is what brackets hold; a sign behind it is that of a charge.
  static bool ends_here(std::u32string_view run, char32_t behind) {
    constexpr std::u32string_view plus_minus = U"+-";
    if (run.front() == U'(' && run.back() == U')') return true;
    if (is_one_of(run.front(), plus_minus)) run.remove_prefix(1);
    const bool is_number = !run.empty() && is_digit(run.front());
    const auto end_of_digits = std::ranges::find_if_not(run, is_digit) - run.begin();
    run.remove_prefix(is_number ? static_cast<std::size_t>(end_of_digits)
                                : std::min<std::size_t>(run.size(), 1));
    if (run.empty()) return !(is_number && is_digit(behind));
    return run.size() == 1 && is_one_of(run.front(), plus_minus) && !is_digit_or_letter(behind);
  }

  const NormalForms& forms_ = NormalForms::instance();
  std::u32string_view text_;
  std::u32string marked_;
};

}  // namespace

std::u32string with_flattened_marks(std::u32string_view text) {
  return normalise(FlattenedText(text).marked());
}

}  // namespace qdedup::refine
