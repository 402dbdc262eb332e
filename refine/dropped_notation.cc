#include "refine/dropped_notation.h"

#include <algorithm>
#include <array>
#include <string>

#include "refine/normalise.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// Most characters are, and none of them is a notation.
bool is_common_han(char32_t c) { return c >= 0x4E00 && c <= 0x9FFF; }
bool is_gap(char32_t c) { return is_one_of(c, U" \t\r\n\u3000"); }
bool is_latin(char32_t c) { return (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z'); }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_greek(char32_t c) { return c >= U'Α' && c <= U'ω'; }
bool is_operand(char32_t c) { return is_latin(c) || is_digit(c) || is_greek(c); }
bool is_quote(char32_t c) { return is_one_of(c, U"'’`ʹ"); }

bool is_combining(char32_t c) { return (c >= 0x300 && c <= 0x36F) || (c >= 0x20D0 && c <= 0x20FF); }

bool is_punctuation(char32_t c) {
  const bool is_ascii = c > U' ' && c < 0x7F && !is_latin(c) && !is_digit(c);
  return is_ascii || (c >= 0x2010 && c <= 0x205E) || (c >= 0x3001 && c <= 0x303F);
}

// A low line or dots, as words are marked.
bool is_emphasis(char32_t c) { return c == 0x332 || c == 0x20E8; }

// What questions ask about, so that it is no matter of style in them.
struct Subjects {
  bool punctuation = false;
  bool emphasis = false;

  void add(std::u32string_view text) {
    const auto has = [text](std::u32string_view word) {
      return text.find(word) != std::u32string_view::npos;
    };
    punctuation |= std::ranges::any_of(rule_words::punctuation_words, has);
    emphasis |= std::ranges::any_of(rule_words::emphasis_words, has);
  }
};

// Reads the normal form of a text from left to right.
class NotationReader {
 public:
  NotationReader(std::u32string_view text, const Subjects& subjects) : text_(text), subjects_(subjects) {}

  // What the test drops, each with what stands before it.
  std::u32string read() && {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      const char32_t c = text_[at_];
      if (is_common_han(c)) {
        before_ = c;
        continue;
      }
      if (is_gap(c)) continue;
      follow_brackets(c);
      if (tells_something(c)) {
        found_ += before_;
        found_ += kept(c);
      }
      if (!is_combining(c)) before_ = is_quote(c) && is_prime() ? before_ : c;
    }
    return std::move(found_);
  }

 private:
  // Of what is written in several ways one.
  static char32_t kept(char32_t c) {
    if (is_quote(c)) return U'\'';
    if (c == U'〈') return U'⟨';
    return c == U'〉' ? U'⟩' : c;
  }

  [[nodiscard]] bool tells_something(char32_t c) const {
    if (subjects_.punctuation && is_punctuation(c)) return true;
    if (is_emphasis(c)) return subjects_.emphasis || is_digit(before_);  // recurring decimals
    if (is_combining(c)) return before_ != 0;
    if (is_quote(c)) return is_prime();
    if (is_one_of(c, U"#&@")) return is_operand(before_) && is_operand(next());
    if (is_one_of(c, U"⟨⟩〈〉‖")) return is_beside_formula();
    if (c == U'!') return is_double_factorial();
    return is_one_of(c, U"⌊⌋⌈⌉");
  }

  // 7!! and n!!, but not Hello!!
  [[nodiscard]] bool is_double_factorial() const {
    if (at_ < 2 || text_[at_ - 1] != U'!' || !is_operand(text_[at_ - 2])) return false;
    return is_digit(text_[at_ - 2]) || at_ < 3 || !is_latin(text_[at_ - 3]);
  }

  // 〈a,b〉 and ‖x‖, but neither a title in a title nor a pause within a sentence.
  [[nodiscard]] bool is_beside_formula() const {
    const auto is_of_formula = [](char32_t c) { return c != 0 && !is_common_han(c) && !is_punctuation(c); };
    return is_of_formula(before_) || is_of_formula(next());
  }

  // An apostrophe has a letter behind it, a closing quotation mark mostly a word of some letters before it.
  [[nodiscard]] bool is_prime() const {
    const char32_t behind = at_ + 1 < text_.size() ? text_[at_ + 1] : 0;
    const bool is_word = at_ > 1 && is_latin(text_[at_ - 1]) && is_latin(text_[at_ - 2]) &&
                         text_[at_ - 1] >= U'a' && text_[at_ - 2] >= U'a';
    return (is_operand(before_) || before_ == U')') && !is_latin(behind) && !is_word;
  }

  [[nodiscard]] char32_t next() const {
    const auto rest = text_.substr(at_ + 1);
    const auto* const found = std::ranges::find_if_not(rest, is_gap);
    return found == rest.end() ? 0 : *found;
  }

  // An interval that is open on one side: its brackets do not close properly, so they are no signs.
  void follow_brackets(char32_t c) {
    if (is_one_of(c, U"([")) {
      opener_ = c;
      has_comma_ = false;
    } else if (c == U',') {
      has_comma_ = true;
    } else if (is_one_of(c, U")]")) {
      if (has_comma_ && opener_ != 0 && (opener_ == U'(') != (c == U')')) {
        found_ += opener_;
        found_ += c;
      }
      opener_ = 0;
    }
  }

  std::u32string_view text_;
  const Subjects& subjects_;
  std::size_t at_ = 0;
  char32_t before_ = 0;  // white space, combining characters and primes aside
  char32_t opener_ = 0;
  bool has_comma_ = false;
  std::u32string found_;
};

}  // namespace

bool same_dropped_notation(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::u32string normal_a = normalise(a);
  const std::u32string normal_b = normalise(b);
  Subjects subjects;
  for (const std::u32string& text : {normal_a, normal_b}) subjects.add(text);
  return NotationReader(normal_a, subjects).read() == NotationReader(normal_b, subjects).read();
}

}  // namespace qdedup::refine
