#include "tests/reference/splitting.h"

#include <cstddef>
#include <optional>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace qdedup::reference {
namespace {

UChar32 as_icu(char32_t c) { return static_cast<UChar32>(c); }

bool is_any_of(std::u32string_view set, char32_t c) { return set.find(c) != std::u32string_view::npos; }

bool is_han(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(as_icu(c), &status) == USCRIPT_HAN;
}

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_letter(char32_t c) { return u_isalpha(as_icu(c)) != 0 && !is_han(c); }
bool is_white(char32_t c) { return u_isUWhiteSpace(as_icu(c)) != 0; }

bool is_sign_of_its_own(char32_t c) {
  switch (u_charType(as_icu(c))) {
    case U_MATH_SYMBOL:
    case U_CURRENCY_SYMBOL:
    case U_MODIFIER_SYMBOL:
    case U_OTHER_SYMBOL:
    case U_OTHER_NUMBER:
    case U_LETTER_NUMBER:
      return true;
    default:
      return is_any_of(U"-*/%\u2030\u2031\u2032\u2033", c);
  }
}

struct BracketPair {
  std::size_t open;
  std::size_t close;
};

// The brackets that close properly.
std::vector<BracketPair> bracket_pairs(std::u32string_view text) {
  std::vector<BracketPair> pairs;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_any_of(U"([{", text[i])) open.push_back(i);
    if (!is_any_of(U")]}", text[i]) || open.empty()) continue;
    const std::u32string pair{text[open.back()], text[i]};
    if (pair == U"()" || pair == U"[]" || pair == U"{}") {
      pairs.push_back({open.back(), i});
      open.pop_back();
    } else {
      open.clear();
    }
  }
  return pairs;
}

bool is_bracket_sign(std::u32string_view text, std::size_t at) {
  for (const BracketPair& pair : bracket_pairs(text)) {
    if (pair.open != at && pair.close != at) continue;
    bool holds_han = false;
    bool holds_value = false;
    for (std::size_t i = pair.open + 1; i < pair.close; ++i) {
      holds_han = holds_han || is_han(text[i]);
      holds_value = holds_value || is_digit(text[i]) || is_letter(text[i]);
    }
    return !holds_han && holds_value;
  }
  return false;
}

bool is_beside_ratio(std::optional<char32_t> c) {
  return c && (is_digit(*c) || is_letter(*c) || *c == U'(' || *c == U')');
}

std::optional<char32_t> first_not_white(std::u32string_view text) {
  for (const char32_t c : text) {
    if (!is_white(c)) return c;
  }
  return std::nullopt;
}

bool is_colon_sign(std::u32string_view text, std::size_t at) {
  const std::u32string before(text.rend() - static_cast<std::ptrdiff_t>(at), text.rend());
  return is_beside_ratio(first_not_white(before)) && is_beside_ratio(first_not_white(text.substr(at + 1)));
}

bool is_comma_sign(std::u32string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) && is_digit(text[at + 1]);
}

bool is_exclamation_sign(std::u32string_view text, std::size_t at) {
  return at > 0 && (is_digit(text[at - 1]) || is_letter(text[at - 1]) || text[at - 1] == U')');
}

bool is_sign(std::u32string_view text, std::size_t at) {
  const char32_t c = text[at];
  if (is_letter(c) || c == U'\uE000') return true;
  if (is_any_of(U"()[]{}", c)) return is_bracket_sign(text, at);
  if (c == U':') return is_colon_sign(text, at);
  if (c == U',') return is_comma_sign(text, at);
  if (c == U'!') return is_exclamation_sign(text, at);
  return is_sign_of_its_own(c);
}

// The number at the start of the text, empty if there is none.
std::u32string_view number_at_start(std::u32string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end > 0 && end + 1 < text.size() && text[end] == U'.' && is_digit(text[end + 1])) {
    ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
  }
  return text.substr(0, end);
}

}  // namespace

SplitText split(std::u32string_view text) {
  SplitText result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::u32string_view number = number_at_start(text.substr(i));
    if (is_han(text[i])) {
      result.han += text[i];
    } else if (!number.empty()) {
      result.signs.emplace_back(number);
      i += number.size() - 1;
    } else if (is_sign(text, i)) {
      result.signs.emplace_back(1, text[i]);
    }
  }
  return result;
}

}  // namespace qdedup::reference
