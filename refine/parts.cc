#include "refine/parts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/uversion.h>
#include <xxhash.h>

#include "refine/character_class.h"
#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

char32_t closing_of(char32_t opening) {
  if (opening == U'(') return U')';
  return opening == U'[' ? U']' : U'}';
}

// Walks a text once. An opening bracket becomes an empty sign, which is filled in when its partner turns out
// to be a sign, and is erased at the end otherwise.
class Splitter {
 public:
  explicit Splitter(std::u32string_view text) : text_(text), scratch_(3 * text.size() + 2) {}

  Parts split() {
    for (std::size_t at = 0; at < text_.size();) {
      at = take_plain(at);
      at = take(class_at(at), at);
    }
    if (empty_signs_ > 0) erase_empty_signs();
    return {.signs = std::u32string(signs_, signs_end_), .han = std::u32string(han_, han_end_)};
  }

 private:
  struct OpenBracket {
    char32_t bracket;
    char32_t* sign;           // its empty sign
    const char32_t* han_end;  // how far the Han part had come,
    std::size_t values;       // how many numbers and letters
  };

  // Takes characters whose roles alone say what becomes of them: most, and without branches, as what comes
  // next cannot be predicted. Returns where the rest starts, at the last character if not before.
  std::size_t take_plain(std::size_t at) {
    char32_t* han_end = han_end_;
    char32_t* signs_end = signs_end_;
    std::size_t values = values_;
    unsigned before = at > 0 ? roles_[text_[at - 1]] : 0U;
    unsigned roles = roles_[text_[at]];
    for (; at + 1 < text_.size(); ++at) {
      const unsigned after = roles_[text_[at + 1]];
      const unsigned in_number = roles >> role::digit;
      const unsigned bound = roles >> role::bound | (roles >> role::comma & before >> role::digit) |
                             (in_number & after >> role::point);
      if ((bound & 1U) != 0) break;
      const unsigned ends = ~(in_number & after >> role::digit);
      *han_end = text_[at];
      han_end += roles >> role::han & 1U;
      *signs_end = text_[at];
      signs_end += roles >> role::sign & 1U;
      *signs_end = Parts::end_of_sign;
      signs_end += roles >> role::sign & ends & 1U;
      values += roles >> role::value & ends & 1U;
      before = std::exchange(roles, after);
    }
    han_end_ = han_end;
    signs_end_ = signs_end;
    values_ = values;
    return at;
  }

  // Takes what starts at `at`; returns where the rest starts.
  std::size_t take(CharacterClass kind, std::size_t at) {
    switch (kind) {
      case CharacterClass::digit:
        return take_number(at);
      case CharacterClass::opening:
        open_bracket(text_[at]);
        break;
      case CharacterClass::closing:
        close_bracket(text_[at]);
        break;
      case CharacterClass::colon:
        add_sign_if(is_ratio(at), text_[at]);
        break;
      case CharacterClass::comma:
        add_sign_if(is_between_digits(at), text_[at]);
        break;
      case CharacterClass::exclamation:
        add_sign_if(is_factorial(at), text_[at]);
        break;
      case CharacterClass::letter:
        ++values_;
        add_sign(text_[at]);
        break;
      case CharacterClass::sign:
        add_sign(text_[at]);
        break;
      case CharacterClass::han:
        *han_end_++ = text_[at];
        break;
      case CharacterClass::dropped:
      case CharacterClass::white:
        break;
    }
    return at + 1;
  }

  std::size_t take_number(std::size_t begin) {
    std::size_t end = end_of_digits(begin);
    const bool has_decimals = end < text_.size() && text_[end] == U'.' && is(CharacterClass::digit, end + 1);
    if (has_decimals) end = end_of_digits(end + 1);
    signs_end_ = std::copy(text_.begin() + begin, text_.begin() + end, signs_end_);
    *signs_end_++ = Parts::end_of_sign;
    ++values_;
    return end;
  }

  void open_bracket(char32_t bracket) {
    open_.push_back({bracket, signs_end_, han_end_, values_});
    add_sign(Parts::end_of_sign);
    ++empty_signs_;
  }

  void close_bracket(char32_t bracket) {
    if (open_.empty()) return;
    const OpenBracket partner = open_.back();
    if (closing_of(partner.bracket) != bracket) return open_.clear();
    open_.pop_back();
    const bool holds_han = han_end_ != partner.han_end;
    const bool holds_value = values_ > partner.values;
    if (holds_han || !holds_value) return;
    *partner.sign = partner.bracket;
    --empty_signs_;
    add_sign(bracket);
  }

  void add_sign(char32_t sign) {
    *signs_end_++ = sign;
    *signs_end_++ = Parts::end_of_sign;
  }

  void add_sign_if(bool condition, char32_t sign) {
    if (condition) add_sign(sign);
  }

  // An empty sign is two ends: its own after another one, or one at the very start.
  void erase_empty_signs() {
    const auto both_end = [](char32_t a, char32_t b) {
      return a == Parts::end_of_sign && b == Parts::end_of_sign;
    };
    signs_end_ = std::unique(signs_, signs_end_, both_end);
    if (*signs_ == Parts::end_of_sign) ++signs_;
  }

  // Positions beyond either end of the text (0 - 1 included) have class `dropped`.
  [[nodiscard]] CharacterClass class_at(std::size_t at) const {
    return at < text_.size() ? classes_[text_[at]] : CharacterClass::dropped;
  }

  [[nodiscard]] bool is(CharacterClass wanted, std::size_t at) const { return class_at(at) == wanted; }

  [[nodiscard]] bool is_value(std::size_t at) const {
    return is(CharacterClass::digit, at) || is(CharacterClass::letter, at);
  }

  [[nodiscard]] std::size_t end_of_digits(std::size_t at) const {
    while (is(CharacterClass::digit, at)) ++at;
    return at;
  }

  [[nodiscard]] bool is_ratio(std::size_t colon) const {
    std::size_t left = colon - 1;
    while (is(CharacterClass::white, left)) --left;
    std::size_t right = colon + 1;
    while (is(CharacterClass::white, right)) ++right;
    return is_term(left) && is_term(right);
  }

  // May stand beside a ratio sign.
  [[nodiscard]] bool is_term(std::size_t at) const {
    return is_value(at) || (at < text_.size() && (text_[at] == U'(' || text_[at] == U')'));
  }

  [[nodiscard]] bool is_between_digits(std::size_t at) const {
    return is(CharacterClass::digit, at - 1) && is(CharacterClass::digit, at + 1);
  }

  [[nodiscard]] bool is_factorial(std::size_t at) const {
    return is_value(at - 1) || (at > 0 && text_[at - 1] == U')');
  }

  const CodePointTable<CharacterClass>& classes_ = character_classes();
  const CodePointTable<std::uint8_t>& roles_ = character_roles();
  std::u32string_view text_;
  Scratch<1024>
      scratch_;  // the Han part, the signs (two code points for one character at most), one more of each
  char32_t* han_ = scratch_.data();
  char32_t* han_end_ = han_;
  char32_t* signs_ = han_ + text_.size() + 1;
  char32_t* signs_end_ = signs_;
  std::vector<OpenBracket> open_;
  std::size_t values_ = 0;
  std::size_t empty_signs_ = 0;
};

}  // namespace

Parts split(std::u32string_view normalised) { return Splitter(normalised).split(); }

Parts parts_of(std::string_view text) { return parts_of(DecodedText(text).code_points()); }

Parts parts_of(std::u32string_view text) {
  constexpr std::size_t for_replacements = 64;  // that are longer than what they replace
  const std::size_t size = text.size() + for_replacements;
  Scratch<1024> room(size);
  if (const auto normalised = normalise_in({room.data(), size}, text)) return split(*normalised);
  return split(normalise(text));
}

std::vector<std::string> sign_list(const Parts& parts) {
  std::vector<std::string> list;
  const std::u32string_view signs = parts.signs;
  for (std::size_t begin = 0; begin < signs.size();) {
    const std::size_t end = signs.find(Parts::end_of_sign, begin);
    list.push_back(to_utf8(signs.substr(begin, end - begin)));
    begin = end + 1;
  }
  return list;
}

std::uint64_t sign_fingerprint(const Parts& parts) {
  return XXH3_64bits(parts.signs.data(), parts.signs.size() * sizeof(char32_t));
}

std::string sign_rules_version() {
  std::array<UVersionInfo, 1> unicode{};
  u_getUnicodeVersion(unicode[0]);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(unicode[0], text.data());
  return std::string("3/unicode-") + text.data();
}
std::uint64_t text_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace qdedup::refine
