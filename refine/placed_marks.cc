#include "refine/placed_marks.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "refine/character_class.h"
#include "refine/flattened_marks.h"
#include "refine/notation_characters.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

bool is_operation(char32_t c) { return is_operator(c) || is_one_of(c, rule_words::operations_in_words); }

// Before what a combining character behind it is drawn on, if that is more than one character.
constexpr char32_t drawn_begin = 0x206A;

// Of the flags of England and the like.
bool is_tag(char32_t c) { return c >= 0xE0020 && c <= 0xE007F; }

// Of a font of its own: Symbol, in texts from Word and MathType.
bool is_private(char32_t c) { return (c >= 0xE001 && c <= 0xF8FF) || c >= first_of_a_font || is_tag(c); }

// Of what is written in several ways one.
char32_t spelling(char32_t c) {
  if (is_quote(c) || c == U'‘') return U'\'';
  if (is_double_quote(c)) return U'"';
  if (is_dash(c)) return U'—';
  if (is_point(c)) return U'·';
  if (c == U'、') return U',';
  if (c == U'〈') return U'⟨';
  return c == U'〉' ? U'⟩' : c;
}

// What is read from left to right: does it stand between single quotation marks?
class Quotation {
 public:
  // Foreign words, that is: where there is Chinese in it, an apostrophe may have opened it.
  [[nodiscard]] bool has_words() const { return is_open_ && !has_han_; }
  [[nodiscard]] bool is_open() const { return is_open_; }

  void pass_han() { has_han_ = true; }
  void pass_alphanumeric() { has_han_ = has_han_ && is_open_; }

  // What stands at `at`, a quotation mark or anything else.
  void pass(std::u32string_view text, std::size_t at) {
    const bool was_open = std::exchange(is_open_, is_open_behind(text, at));
    if (!was_open) has_han_ = false;
  }

 private:
  [[nodiscard]] bool is_open_behind(std::u32string_view text, std::size_t at) const {
    if (text[at] == U'‘') return true;
    if (!is_quote(text[at])) return is_open_;
    const char32_t before = at > 0 ? text[at - 1] : 0;
    const char32_t behind = at + 1 < text.size() ? text[at + 1] : 0;
    if (is_operand(before) || is_one_of(before, U")]}|")) return is_open_ && is_letter(behind);
    return is_quote(before) ? is_open_ : !is_open_ && behind != 0 && !is_white_space(behind);
  }

  bool is_open_ = false;
  bool has_han_ = false;
};

bool is_quotation_mark(char32_t c) { return is_quote(c) || is_double_quote(c) || c == U'‘'; }

// Reads the text from left to right.
class MarkReader {
 public:
  MarkReader(std::u32string_view text, const Subjects& subjects) : text_(text), subjects_(subjects) {}

  PlacedMarks read() && {
    while (at_ < text_.size()) {
      const char32_t c = text_[at_];
      const CharacterClass kind = classes_[c];
      if (is_alphanumeric(c)) {
        take_alphanumeric(c);
      } else if (kind == CharacterClass::han && (HanTable<bool>::covers(c) || !is_combining(c))) {
        take_han(c);
      } else if (is_one_of(c, U",、;。?") && !subjects_.code) {
        take_stop(c, kind);
      } else if (const std::size_t end = end_of_blank(); end > at_) {
        take_blank(end);
        continue;
      } else {
        take(c, kind);
      }
      ++at_;
    }
    for (auto* const each : {&places_.grouping, &places_.remarks, &places_.emphasis})
      std::erase_if(*each, [](const PlacedMark& place) { return place.what == 0; });
    return std::move(places_);
  }

 private:
  static constexpr std::u32string_view openings = U"([{【〔";
  static constexpr std::u32string_view closings = U")]}】〕";
  static constexpr std::size_t brackets_that_are_signs = 3;  // the first ones, without Chinese in them
  static constexpr std::u32string_view digits = U"0123456789";
  static constexpr std::u32string_view kinds_of_line = U"\u033C\u0320\u0333";

  struct OpenBracket {
    std::size_t kind;
    std::size_t han;
    std::size_t operators;
    std::size_t place;   // in `grouping`
    std::size_t remark;  // in `remarks`
    char32_t before;
    bool has_comma = false;
  };

  // What several characters have drawn on them.
  struct Drawn {
    std::size_t at;     // the mark before them
    std::size_t place;  // in `emphasis`
  };

  [[nodiscard]] std::size_t end_of_blank() const {
    if (text_[at_] == U'_') return std::min(text_.find_first_not_of(U'_', at_), text_.size());
    const std::size_t kind = openings.find(text_[at_]);
    if (kind == std::u32string_view::npos) return at_;
    const std::size_t end = text_.find_first_not_of(U" \t\r\n_?", at_ + 1);
    return end < text_.size() && text_[end] == closings[kind] ? end + 1 : at_;
  }

  // A low line in a name of a program is none.
  void take_blank(std::size_t end) {
    const bool is_of_code = subjects_.code && is_operand(at(-1));
    if (is_of_code && (text_[at_] != U'_' || (end < text_.size() && is_operand(text_[end])))) add(text_[at_]);
    places_.blanks.push_back({U'_', signs_, han_});
    borders_.clear();  // it may be an empty cell, which counts by itself
    before_ = text_[end - 1];
    is_behind_sign_of_omission_ = true;
    has_omission_ = false;
    at_ = end;
  }

  // As take(), for most of the signs.
  static_assert(std::ranges::none_of(rule_words::operators, is_alphanumeric));
  void take_alphanumeric(char32_t c) {
    has_omission_ = false;
    is_behind_sign_of_omission_ = true;
    quotation_.pass_alphanumeric();
    take_sign(c);
    before_ = c;
  }

  // As take(), for most of the punctuation, which means something in code alone.
  void take_stop(char32_t c, CharacterClass kind) {
    follow_omission(c, kind);
    quotation_.pass(text_, at_);
    take_separator(c);
    before_ = c;
  }

  void take(char32_t c, CharacterClass kind) {
    if (c == U'\n' && subjects_.indentation) return take_indentation();
    if (is_white_space(c)) return;
    if (is_flattened_mark(c)) return add(c);
    if (is_figure_place(c)) return places_.figures.push_back({c, signs_, han_});
    if (c == drawn_begin) return begin_drawn();
    if (is_combining(c)) return take_combining();
    follow_omission(c, kind);
    if (is_border(c) && is_behind_sign_) borders_ += c;
    const bool is_prime = take_quote(c);
    if (!is_prime || c != U'‘') quotation_.pass(text_, at_);
    if (tells_something(c)) add(spelling(c));
    if (is_one_of(c, U"⌊⌋⌈⌉") || (is_one_of(c, U"⟨⟩〈〉‖") && is_beside_formula()))
      places_.grouping.push_back({spelling(c), signs_, han_});
    if (c == U':' && is_han(before_) && is_quotation_mark(next()))
      places_.speech.push_back({c, signs_, han_});
    take_separator(c);
    operators_ += is_operator(c) ? 1 : 0;
    if (const std::size_t bracket = openings.find(c); bracket < openings.size()) open(bracket);
    if (const std::size_t bracket = closings.find(c); bracket < closings.size()) close(bracket);
    if (is_kept(kind)) take_sign(c);
    if (!is_prime) before_ = c;
  }

  // Where the next line of a program begins deeper than this one, or as one before it did.
  void take_indentation() {
    const std::size_t begin = text_.find_first_not_of(U" \t", at_ + 1);
    if (begin >= text_.size() || is_han(text_[begin]) || is_white_space(text_[begin])) return;
    const std::size_t indentation = begin - at_ - 1;
    for (; indentations_.back() > indentation; indentations_.pop_back()) add(U'\n');
    if (indentations_.back() == indentation) return;
    indentations_.push_back(indentation);
    add(U'\t');
  }

  void begin_drawn() {
    drawn_.push_back({at_, places_.emphasis.size()});
    places_.emphasis.push_back({0, signs_, han_});
  }

  void add(char32_t what) { places_.notation.push_back({what, signs_, 0}); }

  void take_han(char32_t c) {
    ++han_;
    has_omission_ = false;
    is_behind_sign_of_omission_ = false;
    operators_ += is_one_of(c, rule_words::operations_in_words) ? 1 : 0;
    is_behind_sign_ = false;
    borders_.clear();
    quotation_.pass_han();
    before_ = c;
  }

  void take_sign(char32_t c) {
    for (const char32_t border : borders_) places_.borders.push_back({border, signs_, 0});
    borders_.clear();
    is_behind_sign_ = true;
    if (is_digit(c) && begins_mixed_fraction()) add(U' ');
    ++signs_;
  }

  void take_separator(char32_t c) {
    if (!is_one_of(c, U",、;") || open_.empty()) return;
    open_.back().has_comma = true;
    const bool ends_row = c == U';' && openings[open_.back().kind] == U'[';
    if (is_of_formula(before_, U")]}|'") && is_of_formula(next(), U"([{|√+-")) add(ends_row ? U';' : U',');
  }

  // Of lines below, all that are drawn here.
  void take_combining() {
    std::size_t end = at_ + 1;
    if (is_emphasis(text_[at_])) end = std::min(text_.find_first_not_of(emphases, at_), text_.size());
    for (std::size_t at = at_; at < end;) {
      const bool has_kind =
          text_[at] == emphases.front() && at + 1 < end && is_one_of(text_[at + 1], kinds_of_line);
      const std::u32string_view line = text_.substr(at, has_kind ? 2 : 1);
      take_drawn(line, end);
      at += line.size();
    }
    at_ = end - 1;
  }

  // A line below letters is often only style, but not below a digit of a recurring decimal.
  void take_drawn(std::u32string_view line, std::size_t end) {
    const std::optional<Drawn> drawn = drawn_.empty() ? std::nullopt : std::optional(drawn_.back());
    if (drawn) drawn_.pop_back();
    if (before_ == 0) return;
    const bool is_below = is_emphasis(line.front());
    if (is_below ? is_digit(before_) : !is_han(before_)) {
      if (drawn) places_.notation.push_back({drawn_begin, places_.emphasis[drawn->place].signs, 0});
      for (const char32_t c : line) add(c);
    } else if (!is_below || subjects_.emphasis || is_part_of_word(drawn ? drawn->at : at_ - 1, end)) {
      if (drawn) places_.emphasis[drawn->place].what = drawn_begin;
      for (const char32_t c : line) places_.emphasis.push_back({c, signs_, han_});
    } else {
      places_.underlined.push_back({line.front(), signs_, han_});
    }
  }

  // What the test drops, and what stands beside it says that it means something.
  [[nodiscard]] bool tells_something(char32_t c) const {
    if (is_dash(c)) return is_minus();
    if (is_private(c)) return true;
    if (c == U'\\' && is_operand(at(-1)) && is_operand(at(1)) && !is_operand(at(2))) return true;
    if (is_one_of(c, U"#&@※†‡§¶") && is_operand(before_) && is_operand(next())) return true;
    if (c == U'#' && is_operand(at(-1))) return true;
    if (is_point(c)) return is_telling_point();
    if (c == U'.' && begins_decimals()) return true;
    if (c == U'!' && (is_dropped_factorial() || is_not())) return true;
    if (c == U':' && (is_dropped_ratio() || is_of_slice())) return true;
    return subjects_.code && is_of_code(c);
  }

  // 0.3· and 3·(1/2), which is no mixed fraction, and ·OH
  [[nodiscard]] bool is_telling_point() const {
    if (is_digit(before_) && precedes_fraction()) return true;
    if (is_digit(at(-1))) return !is_of_formula(next(), U"([{|√∠△□○");
    return is_capital(at(1)) && !is_small_letter(at(2)) && !is_sign(before_) && !is_one_of(before_, U")]}'");
  }

  [[nodiscard]] bool precedes_fraction() const {
    const std::size_t begin = text_.find_first_not_of(U" \t\r\n", at_ + 1);
    if (begin >= text_.size() || text_[begin] != U'(') return false;
    const std::size_t slash = text_.find_first_not_of(digits, begin + 1);
    const std::size_t end = slash < text_.size() ? text_.find_first_not_of(digits, slash + 1) : slash;
    return end < text_.size() && text_[slash] == U'/' && text_[end] == U')';
  }

  // 7!!, n!!, (n)!!, [n]! and n′!, but not Hello!!
  [[nodiscard]] bool is_dropped_factorial() const {
    if (is_white_space(at(-1))) return is_spaced_factorial();
    if (at_ < 2 || (!is_one_of(at(-1), U"!]}|′") && !is_quote(at(-1)))) return false;
    if (is_digit(at(-2)) || is_one_of(at(-2), U")′")) return true;
    return is_operand(at(-2)) && !is_letter(at(-3));
  }

  // 5 !, n ! and (n+1) !, but neither Good ! nor ( ) !
  [[nodiscard]] bool is_spaced_factorial() const {
    const std::size_t last = text_.find_last_not_of(U" \t\r\n", at_ - 1);
    if (last >= text_.size()) return false;
    const char32_t before = last > 0 ? text_[last - 1] : 0;
    if (text_[last] == U')') return is_operand(before);
    return is_digit(text_[last]) || (is_letter(text_[last]) && !is_letter(before));
  }

  // x != 0 and if(!x), but not 好!3
  [[nodiscard]] bool is_not() const {
    if (at(1) == U'=') return true;
    return is_of_formula(next(), U"(") && (is_one_of(before_, U"([{=&|") || is_operator(before_));
  }

  // 2:√3 and 30°:60°, but not 解:√3
  [[nodiscard]] bool is_dropped_ratio() const {
    return is_of_formula(before_, U")]}|‖°′%‰") && is_of_formula(next(), U"([{|‖√∛∠△→ˉ⌢+-");
  }

  // s[2:] and s[::-1]
  [[nodiscard]] bool is_of_slice() const {
    return !open_.empty() && openings[open_.back().kind] == U'[' && is_of_formula(before_, U"[:)]") &&
           is_of_formula(next(), U"]:(-");
  }

  // 〈a,b〉 and ‖x‖, but neither a title in a title nor a pause within a sentence.
  [[nodiscard]] bool is_beside_formula() const { return is_sign(before_) || is_sign(next()); }

  // x>—1, but no dash of Chinese
  [[nodiscard]] bool is_minus() const { return !is_dash(before_) && begins_formula(text_.substr(at_ + 1)); }

  // =.5 and .5×8, but not 包装.3盒
  [[nodiscard]] bool begins_decimals() const {
    if (!is_digit(at(1))) return false;
    if (is_operator(before_) || is_relation(before_) || is_dash(before_) || is_one_of(before_, U"([{|,、"))
      return true;
    if (before_ != 0 && !is_han(before_)) return false;
    const std::size_t end = text_.find_first_not_of(digits, at_ + 1);
    return end < text_.size() && (is_operator(text_[end]) || is_relation(text_[end]));
  }

  // 2 3/4, but neither 1/2 3/4 nor 2、3/4
  [[nodiscard]] bool begins_mixed_fraction() const {
    if (!is_white_space(at(-1)) || !is_digit(before_)) return false;
    const std::size_t slash = std::min(text_.find_first_not_of(digits, at_), text_.size());
    const std::size_t last = text_.find_last_not_of(U" \t\r\n", at_ - 1);
    const std::size_t sign = text_.find_last_not_of(digits, last);
    const bool is_whole = sign == std::u32string_view::npos || !is_one_of(text_[sign], U"/.");
    return is_whole && is_digit(text_[last]) && slash + 1 < text_.size() && text_[slash] == U'/' &&
           is_digit(text_[slash + 1]);
  }

  [[nodiscard]] bool precedes_option() const {
    const std::size_t behind = text_.find_first_not_of(U" \t\r\n", at_ + 1);
    return behind < text_.size() - 1 && is_capital(text_[behind]) && is_one_of(text_[behind + 1], U".、");
  }

  // Punctuation between signs. Chinese has most of it too, and options have points behind them.
  [[nodiscard]] bool is_of_code(char32_t c) const {
    const char32_t behind = precedes_option() ? 0 : next();
    if (c == U'!') return behind == U'(' || is_small_letter(behind);
    if (c == U'?') return is_operand(at(-1)) && is_operand(at(1));
    if (c == U'.')
      return is_operand(at(1)) && is_letter(at(-1)) && (is_operand(at(-2)) || !is_capital(at(-1)));
    const bool precedes_sign = is_of_formula(behind, U"([{}])'\"&\\#@,;:_") || is_sign(behind);
    if (is_one_of(c, U"&\\#@")) return precedes_sign;
    if (before_ == 0 || is_han(before_) || !precedes_sign) return false;
    return is_one_of(c, U"、,;:") || (is_quotation_mark(c) && !is_one_of(behind, U",;:"));
  }

  // 1、2、…、9 and 8……□
  void follow_omission(char32_t c, CharacterClass kind) {
    if (is_one_of(c, U",、;.…⋯")) {
      const bool is_ellipsis = is_one_of(c, U"…⋯") || text_.substr(at_, 3) == U"...";
      if (!is_ellipsis || !is_behind_sign_of_omission_) return;
      if (!std::exchange(has_omission_, true)) add(U'…');
      return;
    }
    has_omission_ = false;
    is_behind_sign_of_omission_ = is_sign(c) || kind == CharacterClass::closing;
  }

  // Primes, and the apostrophes of words. Returns whether it is a prime.
  bool take_quote(char32_t c) {
    if (is_double_quote(c) || c == U'‘') {
      const bool is_prime = is_prime_of_two(c);
      if (is_prime) add(U'\'');
      if (is_prime && c != U'‘') add(U'\'');
      if (!is_prime) follow_double_quote(c);
      return is_prime;
    }
    if (!is_quote(c)) return false;
    const bool is_prime = is_single_prime();
    if (is_prime || is_apostrophe()) add(U'\'');
    return is_prime;
  }

  // brother's, brothers', xy', but not 'good'
  [[nodiscard]] bool is_apostrophe() const {
    return is_letter(at(-1)) && (is_letter(at(1)) || (is_letter(at(-2)) && !quotation_.is_open()));
  }

  // An apostrophe has a letter behind it, a closing quotation mark mostly a word of some letters before it:
  // students', but xy'+y and xy''.
  [[nodiscard]] bool is_single_prime() const {
    const char32_t behind = at(1);
    const bool is_word = at(-1) >= U'a' && is_letter(at(-1)) && at(-2) >= U'a' && is_letter(at(-2));
    const bool goes_on = !quotation_.has_words() &&
                         (is_digit(behind) || is_quote(behind) || is_relation(next()) || is_operator(next()));
    return is_of_formula(before_, U")]}|^") && !is_letter(behind) && (!is_word || goes_on);
  }

  // f"(1), f”(1), 30°15'20" and, typed for a single one, f‘(1)
  [[nodiscard]] bool is_prime_of_two(char32_t c) const {
    const bool is_behind_word = is_letter(at(-1)) && is_letter(at(-2));
    if (is_in_double_quotes_ || is_behind_word || !is_of_formula(at(-1), U"'’")) return false;
    const char32_t behind = next();
    if (c == U'“' || c == U'‘') return is_one_of(behind, U"(=+-");
    if (is_operand(behind)) return false;
    const bool opens = c == U'"' && text_.find(U'"', at_ + 1) != std::u32string_view::npos;
    return !opens || is_relation(behind) || is_operator(behind) || behind == U'(';
  }

  void follow_double_quote(char32_t c) {
    if (c == U'‘') return;
    is_in_double_quotes_ = c == U'“' || (c == U'"' && !is_in_double_quotes_);
  }

  std::vector<OpenBracket>& opened(std::size_t bracket) {
    return bracket < brackets_that_are_signs ? open_ : open_headings_;
  }

  void open(std::size_t bracket) {
    opened(bracket).push_back(
        {bracket, han_, operators_, places_.grouping.size(), places_.remarks.size(), before_});
    places_.grouping.push_back({0, signs_, han_});
    places_.remarks.push_back({0, signs_, han_});
  }

  void close(std::size_t bracket) {
    if (opened(bracket).empty()) return;
    const OpenBracket opening = opened(bracket).back();
    if (opening.kind != bracket) return close_otherwise(opening, closings[bracket]);
    opened(bracket).pop_back();
    const bool is_sign = bracket < brackets_that_are_signs;
    if (is_sign && han_ == opening.han) return;
    const bool has_operators = operators_ > opening.operators;
    const bool groups = is_sign ? has_operators || is_operation(next()) || is_operation(opening.before)
                                : has_operators && (is_operator(next()) || is_operator(opening.before));
    if (!is_sign && !groups) return;  // mostly a heading: 【例1】
    (groups ? places_.grouping[opening.place] : places_.remarks[opening.remark]).what = U'(';
    (groups ? places_.grouping : places_.remarks).push_back({U')', signs_, han_});
  }

  // An interval that is open on one side: its brackets do not close properly, so they are no signs.
  void close_otherwise(const OpenBracket& opening, char32_t c) {
    const char32_t begin = openings[opening.kind];
    if (!opening.has_comma || !is_one_of(begin, U"([") || !is_one_of(c, U")]"))
      return opened(opening.kind).clear();
    add(begin);
    add(c);
    open_.pop_back();
  }

  [[nodiscard]] bool is_han(char32_t c) const { return classes_[c] == CharacterClass::han; }
  [[nodiscard]] bool is_sign(char32_t c) const { return is_kept(classes_[c]) && !is_han(c); }

  static bool is_of_formula(char32_t c, std::u32string_view others) {
    return is_operand(c) || is_one_of(c, others);
  }

  // Are the letters from `begin` to the lines that end at `end` marked, and one beside them not? Nobody does
  // that for style.
  [[nodiscard]] bool is_part_of_word(std::size_t begin, std::size_t end) const {
    const bool follows_plain = begin > 0 && begin < text_.size() && is_letter(text_[begin - 1]);
    const bool precedes_plain = end < text_.size() && is_letter(text_[end]) &&
                                (end + 1 == text_.size() || !is_emphasis(text_[end + 1]));
    return is_letter(at(-1)) && (follows_plain || precedes_plain);
  }

  // What stands so many characters behind this one; 0 for nothing.
  [[nodiscard]] char32_t at(std::ptrdiff_t offset) const {
    return character_at(text_, at_ + static_cast<std::size_t>(offset));
  }

  // What stands behind this one, white space aside.
  [[nodiscard]] char32_t next() const { return character_behind_space(text_, at_ + 1); }

  const CodePointTable<CharacterClass>& classes_ = character_classes();
  std::u32string_view text_;
  const Subjects& subjects_;
  std::size_t at_ = 0;
  std::size_t signs_ = 0;
  std::size_t han_ = 0;
  std::size_t operators_ = 0;
  char32_t before_ = 0;  // white space, combining characters and primes aside
  bool is_behind_sign_ = false;
  Quotation quotation_;
  bool is_in_double_quotes_ = false;
  bool is_behind_sign_of_omission_ = false;
  bool has_omission_ = false;  // since then
  std::u32string borders_;     // since the last sign
  std::vector<OpenBracket> open_;
  std::vector<OpenBracket> open_headings_;  // or what groups as well: 84÷【(8-6)×7】
  std::vector<Drawn> drawn_;
  std::vector<std::size_t> indentations_{0};  // of the lines that this one stands in
  PlacedMarks places_;
};

}  // namespace

SingleFigures::SingleFigures(std::u32string_view original) {
  constexpr char32_t outside = 0x80000000;
  text.reserve(original.size());
  begins.reserve(original.size() + 1);
  for (std::size_t at = 0; at < original.size();) {
    begins.push_back(at);
    const std::u32string_view place = original.substr(at, figure_place_length);
    if (is_figure_place(original[at])) {
      text += outside | static_cast<char32_t>(std::hash<std::u32string_view>()(place));
      at += place.size();
    } else {
      text += original[at++];
    }
  }
  begins.push_back(original.size());
}

bool begins_formula(std::u32string_view text) {
  const std::size_t begin = text.find_first_not_of(U" \t\r\n");
  if (begin >= text.size()) return false;
  const char32_t first = text[begin];
  if (first == U'.') return begin + 1 < text.size() && is_digit(text[begin + 1]);
  const CharacterClass kind = character_classes()[first];
  return (is_kept(kind) && kind != CharacterClass::han) || kind == CharacterClass::opening || first == U'|' ||
         is_flattened_mark(first);
}

PlacedMarks placed_marks(std::u32string_view text, const Subjects& subjects) {
  return MarkReader(text, subjects).read();
}

}  // namespace qdedup::refine
