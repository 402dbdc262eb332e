#include "refine/normal_forms.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include "refine/icu.h"
#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

bool is_superscript(char32_t c) {
  return c == 0xB2 || c == 0xB3 || c == 0xB9 || c == 0x2070 || (c >= 0x2074 && c <= 0x207F);
}

bool is_subscript(char32_t c) { return c >= 0x2080 && c <= 0x208E; }

// The mark that goes before a run of characters like this one: `^` for superscripts, subscript_mark for
// subscripts, 0 for all others.
char32_t run_mark(char32_t code_point) {
  if (is_superscript(code_point)) return U'^';
  return is_subscript(code_point) ? subscript_mark : U'\0';
}

bool is_circled_or_fraction(char32_t c) {
  const int type = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_DECOMPOSITION_TYPE);
  return type == U_DT_CIRCLE || type == U_DT_FRACTION;
}

// The last step: one spelling each for slash, hyphen, ratio sign and decimal digits.
char32_t one_spelling(char32_t code_point) {
  if (code_point == 0x2044 || code_point == 0x2215) return U'/';
  if ((code_point >= 0x2010 && code_point <= 0x2013) || code_point == 0x2212) return U'-';
  if (code_point == 0x2236) return U':';
  const auto character = static_cast<UChar32>(code_point);
  if (u_charType(character) != U_DECIMAL_DIGIT_NUMBER) return code_point;
  return U'0' + static_cast<char32_t>(u_charDigitValue(character));
}

// Marks what NFKC would flatten.
std::u32string with_marks(std::u32string_view text) {
  std::u32string marked;
  marked.reserve(text.size());
  char32_t run = 0;
  for (const char32_t c : text) {
    const char32_t mark = run_mark(c);
    if (mark != 0 && mark != run) marked.push_back(mark);
    run = mark;
    if (is_circled_or_fraction(c)) {
      marked.append({U'(', c, U')'});
    } else {
      marked.push_back(c);
    }
  }
  return marked;
}

// ICU owns it.
const icu::Normalizer2& nfkc() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const instance = icu::Normalizer2::getNFKCInstance(status);
  require_success(status);
  return *instance;
}

// ICU puts combining marks in order by insertion, which is quadratic in those that stand together.
bool has_many_marks_together(std::u32string_view text) {
  constexpr int many = 32;
  int together = 0;
  for (const char32_t c : text) {
    together = nfkc().hasBoundaryBefore(static_cast<UChar32>(c)) ? 0 : together + 1;
    if (together > many) return true;
  }
  return false;
}

std::u32string decomposed(std::u32string_view text) {
  std::u32string result;
  icu::UnicodeString decomposition;
  for (const char32_t c : text) {
    if (!nfkc().getDecomposition(static_cast<UChar32>(c), decomposition)) {
      result.push_back(c);
      continue;
    }
    require_memory(decomposition);
    for (std::int32_t i = 0; i < decomposition.length(); i = decomposition.moveIndex32(i, 1))
      result.push_back(static_cast<char32_t>(decomposition.char32At(i)));
  }
  return result;
}

// NFKD. Its NFKC is that of `text`, and takes ICU linear time. O(n log n).
std::u32string with_marks_in_order(std::u32string_view text) {
  const auto combining_class = [](char32_t c) { return nfkc().getCombiningClass(static_cast<UChar32>(c)); };
  const auto is_mark = [&](char32_t c) { return combining_class(c) != 0; };
  std::u32string result = decomposed(text);
  for (auto begin = result.begin(); begin != result.end();) {
    begin = std::find_if(begin, result.end(), is_mark);
    const auto end = std::find_if_not(begin, result.end(), is_mark);
    std::ranges::stable_sort(begin, end, {}, combining_class);
    begin = end;
  }
  return result;
}

std::u32string compose(std::u32string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString composed = nfkc().normalize(to_utf16(text), status);
  require_success(status);
  std::u32string result(static_cast<std::size_t>(composed.countChar32()), U'\0');
  composed.toUTF32(reinterpret_cast<UChar32*>(result.data()), static_cast<std::int32_t>(result.size()),
                   status);
  require_success(status);
  return result;
}

bool is_nfkc(UChar32 character) {
  return u_getIntPropertyValue(character, UCHAR_NFKC_QUICK_CHECK) == UNORM_YES;
}

// The normal form by the code points one by one; none if it depends on how they stand together.
std::optional<std::u32string> one_by_one(std::u32string_view text) {
  const NormalForms& forms = NormalForms::instance();
  std::u32string result;
  result.reserve(text.size());
  char32_t run = 0;
  for (const char32_t code_point : text) {
    if (forms[code_point] == NormalForms::in_context) return std::nullopt;
    run = forms.append(code_point, run, result);
  }
  return result;
}

}  // namespace

std::u32string icu_normalise(std::u32string_view text) {
  std::u32string marked = with_marks(text);
  if (has_many_marks_together(marked)) marked = with_marks_in_order(marked);
  std::u32string result = compose(marked);
  for (char32_t& c : result) c = one_spelling(c);
  return result;
}

std::optional<ScriptCharacter> script_character(char32_t code_point) {
  const int type = u_getIntPropertyValue(static_cast<UChar32>(code_point), UCHAR_DECOMPOSITION_TYPE);
  if (type != U_DT_SUPER && type != U_DT_SUB) return std::nullopt;
  std::u32string form = icu_normalise({&code_point, 1});
  if (run_mark(code_point) != 0) form.erase(0, 1);
  if (form.size() != 1 || form[0] > 0x7E) return std::nullopt;
  return ScriptCharacter{static_cast<char>(form[0]), type == U_DT_SUPER};
}

const NormalForms& NormalForms::instance() {
  static const NormalForms forms;
  return forms;
}

NormalForms::NormalForms() : forms_([this](char32_t code_point) { return find_out(code_point); }) {}

NormalForms::Form NormalForms::find_out(char32_t code_point) {
  const auto character = static_cast<UChar32>(code_point);
  const bool has_own_spelling = one_spelling(code_point) == code_point;
  if (has_own_spelling && nfkc().isInert(character)) return itself;  // most; faster than what follows
  if (!u_isdefined(character)) return itself;
  if (!nfkc().hasBoundaryBefore(character)) return in_context;
  if (has_own_spelling && is_nfkc(character)) return itself;
  const char32_t mark = run_mark(code_point);
  std::u32string text = icu_normalise({&code_point, 1});
  if (mark != 0) text.erase(0, 1);
  replacements_.push_back({mark, std::move(text)});
  return static_cast<Form>(in_context + replacements_.size());
}

std::optional<char32_t> NormalForms::single(char32_t code_point) const {
  const Form form = forms_[code_point];
  if (form == itself) return code_point;
  if (form == in_context) return std::nullopt;
  const Replacement& becomes = replacement(form);
  const bool is_single = becomes.run_mark == 0 && becomes.text.size() == 1;
  return is_single ? std::optional(becomes.text.front()) : std::nullopt;
}

char32_t NormalForms::append(char32_t code_point, char32_t run, std::u32string& text) const {
  const Form form = forms_[code_point];
  if (form <= in_context) {
    text.push_back(code_point);
    return 0;
  }
  const Replacement& becomes = replacement(form);
  if (becomes.run_mark != 0 && becomes.run_mark != run) text.push_back(becomes.run_mark);
  text += becomes.text;
  return becomes.run_mark;
}

std::u32string normalise(std::string_view text) { return normalise(DecodedText(text).code_points()); }

std::u32string normalise(std::u32string_view text) {
  std::optional<std::u32string> result = one_by_one(text);
  return result ? *std::move(result) : icu_normalise(text);
}

}  // namespace qdedup::refine
