#include "tests/reference/normalising.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/unorm2.h>

namespace qdedup::reference {
namespace {

constexpr std::u32string_view superscripts =
    U"\u00B2\u00B3\u00B9\u2070\u2074\u2075\u2076\u2077\u2078\u2079\u207A\u207B\u207C\u207D\u207E\u207F";
constexpr std::u32string_view subscripts =
    U"\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208A\u208B\u208C\u208D\u208E";

void check(UErrorCode status) {
  if (U_FAILURE(status)) throw std::runtime_error(u_errorName(status));
}

std::u32string code_points_of(const icu::UnicodeString& text) {
  std::u32string code_points;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    code_points += static_cast<char32_t>(text.char32At(i));
  }
  return code_points;
}

bool is_one_of(std::u32string_view set, char32_t c) { return set.find(c) != std::u32string_view::npos; }

// Puts `mark` before each character of `set` that has no other one directly before it.
std::u32string mark_runs(const std::u32string& text, std::u32string_view set, char32_t mark) {
  std::u32string marked;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_run = is_one_of(set, text[i]);
    const bool run_goes_on = i > 0 && is_one_of(set, text[i - 1]);
    if (in_run && !run_goes_on) marked += mark;
    marked += text[i];
  }
  return marked;
}

std::u32string put_brackets(const std::u32string& text) {
  std::u32string bracketed;
  for (const char32_t c : text) {
    const int type = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_DECOMPOSITION_TYPE);
    const bool brackets = type == U_DT_CIRCLE || type == U_DT_FRACTION;
    if (brackets) bracketed += U'(';
    bracketed += c;
    if (brackets) bracketed += U')';
  }
  return bracketed;
}

std::u32string nfkc(const std::u32string& text) {
  icu::UnicodeString source;
  for (const char32_t c : text) source.append(static_cast<UChar32>(c));
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* normalizer = unorm2_getNFKCInstance(&status);
  check(status);
  std::vector<UChar> target(static_cast<std::size_t>(source.length()) * 18 + 1);
  const std::int32_t length = unorm2_normalize(normalizer, source.getBuffer(), source.length(), target.data(),
                                               static_cast<std::int32_t>(target.size()), &status);
  check(status);
  return code_points_of({target.data(), length});
}

char32_t replaced(char32_t c) {
  switch (c) {
    case 0x2044:
    case 0x2215:
      return U'/';
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2212:
      return U'-';
    case 0x2236:
      return U':';
    default:
      break;
  }
  const bool is_digit = u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
  return is_digit ? U"0123456789"[u_charDigitValue(static_cast<UChar32>(c))] : c;
}

}  // namespace

std::u32string normalise(std::string_view text) {
  const icu::StringPiece bytes(text.data(), static_cast<std::int32_t>(text.size()));
  std::u32string result = code_points_of(icu::UnicodeString::fromUTF8(bytes));
  result = mark_runs(result, superscripts, U'^');
  result = mark_runs(result, subscripts, U'\uE000');
  result = put_brackets(result);
  result = nfkc(result);
  for (char32_t& c : result) c = replaced(c);
  return result;
}

}  // namespace qdedup::reference
