#include "refine/parts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <unicode/uchar.h>
#include <xxhash.h>

#include "refine/character_class.h"
#include "refine/icu.h"
#include "refine/normal_forms.h"
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
  explicit Splitter(std::span<const ClassedCharacter> text) : text_(text), scratch_(3 * text.size() + 2) {}

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
    unsigned before = at > 0 ? roles_of(text_[at - 1]) : 0U;
    unsigned roles = roles_of(text_[at]);
    for (; at + 1 < text_.size(); ++at) {
      const unsigned after = roles_of(text_[at + 1]);
      const unsigned in_number = roles >> role::digit;
      const unsigned bound = roles >> role::bound | (roles >> role::comma & before >> role::digit) |
                             (in_number & after >> role::point);
      if ((bound & 1U) != 0) break;
      const unsigned ends = ~(in_number & after >> role::digit);
      const char32_t character = code_point_of(text_[at]);
      *han_end = character;
      han_end += roles >> role::han & 1U;
      *signs_end = character;
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
        open_bracket(code_point_of(text_[at]));
        break;
      case CharacterClass::closing:
        close_bracket(code_point_of(text_[at]));
        break;
      case CharacterClass::colon:
        add_sign_if(is_ratio(at), U':');
        break;
      case CharacterClass::comma:
        add_sign_if(is_between_digits(at), U',');
        break;
      case CharacterClass::exclamation:
        add_sign_if(is_factorial(at), U'!');
        break;
      case CharacterClass::letter:
        ++values_;
        add_sign(code_point_of(text_[at]));
        break;
      case CharacterClass::sign:
        add_sign(code_point_of(text_[at]));
        break;
      case CharacterClass::han:
        *han_end_++ = code_point_of(text_[at]);
        break;
      case CharacterClass::dropped:
      case CharacterClass::white:
        break;
    }
    return at + 1;
  }

  std::size_t take_number(std::size_t begin) {
    std::size_t end = end_of_digits(begin);
    const bool has_decimals =
        end < text_.size() && code_point_of(text_[end]) == U'.' && is(CharacterClass::digit, end + 1);
    if (has_decimals) end = end_of_digits(end + 1);
    const auto number = text_.subspan(begin, end - begin);
    signs_end_ = std::transform(number.begin(), number.end(), signs_end_, code_point_of);
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
    return at < text_.size() ? class_of(text_[at]) : CharacterClass::dropped;
  }

  [[nodiscard]] bool is(CharacterClass wanted, std::size_t at) const { return class_at(at) == wanted; }

  [[nodiscard]] bool is_value(std::size_t at) const {
    return is(CharacterClass::digit, at) || is(CharacterClass::letter, at);
  }

  [[nodiscard]] bool is_bracket(std::size_t at, char32_t bracket) const {
    return at < text_.size() && code_point_of(text_[at]) == bracket;
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
    return is_value(at) || is_bracket(at, U'(') || is_bracket(at, U')');
  }

  [[nodiscard]] bool is_between_digits(std::size_t at) const {
    return is(CharacterClass::digit, at - 1) && is(CharacterClass::digit, at + 1);
  }

  [[nodiscard]] bool is_factorial(std::size_t at) const {
    return is_value(at - 1) || is_bracket(at - 1, U')');
  }

  std::span<const ClassedCharacter> text_;
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

// What normalising makes of a code point, classed, where that is one code point whatever stands beside it:
// with the difference to it (modulo 2^21) in the place of the code point, so that many blocks of the table
// are equal and it fits a small cache. `no_single` for others.
using Single = std::uint32_t;
constexpr Single no_single = 0xFFFFFFFF;

Single find_single(char32_t code_point) {
  const std::optional<char32_t> single = NormalForms::instance().single(code_point);
  if (!single) return no_single;
  const ClassedCharacter character = classed(*single);
  return (character & ~code_point_bits) | ((code_point_of(character) - code_point) & code_point_bits);
}

const CodePointTable<Single>& singles() {
  static const CodePointTable<Single> table(find_single);
  return table;
}

// Writes the normal form of `text`, classed, to `room` for as many. False if there are others than singles in
// it. Without branches, as which characters stand where cannot be predicted.
bool normalise_singles(std::u32string_view text, ClassedCharacter* room) {
  const CodePointTable<Single>& table = singles();
  Single greatest = 0;
  for (const char32_t code_point : text) {
    const Single single = table.at_code_point(code_point);
    greatest = std::max(greatest, single);
    *room++ = (single & ~code_point_bits) | ((single + code_point) & code_point_bits);
  }
  return greatest != no_single;
}

}  // namespace

Parts split(std::u32string_view normalised) {
  Scratch<1024, ClassedCharacter> room(normalised.size());
  std::transform(normalised.begin(), normalised.end(), room.data(), classed);
  return Splitter({room.data(), normalised.size()}).split();
}

Parts parts_of(std::string_view text) { return parts_of(DecodedText(text).code_points()); }

Parts parts_of(std::u32string_view text) {
  Scratch<1024, ClassedCharacter> room(text.size());
  if (normalise_singles(text, room.data())) return Splitter({room.data(), text.size()}).split();
  return split(normalise(text));
}

std::optional<Parts> parts_of_singles(std::u32string_view text, std::u32string& normal) {
  Scratch<1024, ClassedCharacter> room(text.size());
  if (!normalise_singles(text, room.data())) return std::nullopt;
  std::transform(room.data(), room.data() + text.size(), normal.data(), code_point_of);
  return Splitter({room.data(), text.size()}).split();
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

std::string sign_rules_version() { return "3/unicode-" + version_text(u_getUnicodeVersion); }

std::uint64_t text_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace qdedup::refine
