#include "refine/dropped_notation.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "refine/character_class.h"
#include "refine/distance.h"
#include "refine/normalise.h"
#include "refine/parts.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// Most characters are, and none of them is a notation.
bool is_common_han(char32_t c) { return c >= 0x4E00 && c <= 0x9FFF; }
bool is_gap(char32_t c) { return is_one_of(c, U" \t\r\n\u3000"); }
bool is_greek(char32_t c) { return c >= U'Α' && c <= U'ω'; }
bool is_operand(char32_t c) { return is_letter(c) || is_digit(c) || is_greek(c); }
bool is_quote(char32_t c) { return is_one_of(c, U"'’`ʹ"); }

// What markup/marks.h puts between cells, and between rows of a matrix.
bool is_border(char32_t c) { return c == 0x2063 || c == 0x2064; }

bool is_combining(char32_t c) { return (c >= 0x300 && c <= 0x36F) || (c >= 0x20D0 && c <= 0x20FF); }

// Chinese input methods write a minus as a dash.
bool is_dash(char32_t c) { return is_one_of(c, U"—―﹘⁃"); }

// Of a font of its own: Symbol, in texts from Word and MathType.
bool is_private(char32_t c) { return c >= 0xE000 && c <= 0xF8FF && c != subscript_mark; }

bool is_punctuation(char32_t c) {
  const bool is_ascii = c > U' ' && c < 0x7F && !is_letter(c) && !is_digit(c);
  return is_ascii || (c >= 0x2010 && c <= 0x205E) || (c >= 0x3001 && c <= 0x303F);
}

// A low line or dots, as words are marked.
bool is_emphasis(char32_t c) { return c == 0x332 || c == 0x20E8; }

// Is what is read from left to right in quotation marks 'of such a kind'?
class Quotation {
 public:
  [[nodiscard]] bool is_open() const { return is_open_; }

  // What stands at `at`, a quotation mark or anything else.
  void pass(std::u32string_view text, std::size_t at) {
    if (text[at] == U'‘') is_open_ = true;
    if (!is_quote(text[at])) return;
    const char32_t before = at > 0 ? text[at - 1] : 0;
    const char32_t behind = at + 1 < text.size() ? text[at + 1] : 0;
    if (is_operand(before) || is_one_of(before, U")]}|")) {
      is_open_ &= is_letter(behind);
    } else if (!is_quote(before)) {
      is_open_ = !is_open_ && behind != 0 && !is_gap(behind);
    }
  }

 private:
  bool is_open_ = false;
};

// What questions ask about, so that it is no matter of style in them.
struct Subjects {
  bool punctuation = false;
  bool emphasis = false;
  bool wording = false;

  void add(std::u32string_view text) {
    const auto has = [text](std::u32string_view word) {
      return text.find(word) != std::u32string_view::npos;
    };
    punctuation |= std::ranges::any_of(rule_words::punctuation_words, has);
    emphasis |= std::ranges::any_of(rule_words::emphasis_words, has);
    wording |= std::ranges::any_of(rule_words::wording_words, has);
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
      quotation_.pass(text_, at_);
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
    if (is_emphasis(c)) return is_digit(before_);  // recurring decimals; of words, PlaceReader
    if (is_combining(c)) return before_ != 0;
    if (is_quote(c)) return is_prime();
    if (is_one_of(c, U"#&@")) return is_operand(before_) && is_operand(next());
    if (is_one_of(c, U"⟨⟩〈〉‖")) return is_beside_formula();
    if (c == U'!') return is_dropped_factorial();
    if (c == U':') return is_dropped_ratio();
    return is_one_of(c, U"⌊⌋⌈⌉");
  }

  // 7!!, n!!, (n)!!, [n]! and n′!, but not Hello!!
  [[nodiscard]] bool is_dropped_factorial() const {
    if (at_ < 2 || (!is_one_of(text_[at_ - 1], U"!]}|′") && !is_quote(text_[at_ - 1]))) return false;
    const char32_t base = text_[at_ - 2];
    if (is_digit(base) || is_one_of(base, U")′")) return true;
    return is_operand(base) && (at_ < 3 || !is_letter(text_[at_ - 3]));
  }

  // 2:√3 and 30°:60°, but not 解:√3
  [[nodiscard]] bool is_dropped_ratio() const {
    const char32_t behind = next();
    const bool ends_operand = is_operand(before_) || is_one_of(before_, U")]}|‖°′%‰");
    return ends_operand && (is_operand(behind) || is_one_of(behind, U"([{|‖√∛∠△→ˉ⌢+-"));
  }

  // 〈a,b〉 and ‖x‖, but neither a title in a title nor a pause within a sentence.
  [[nodiscard]] bool is_beside_formula() const {
    const auto is_of_formula = [](char32_t c) { return c != 0 && !is_common_han(c) && !is_punctuation(c); };
    return is_of_formula(before_) || is_of_formula(next());
  }

  // An apostrophe has a letter behind it, a closing quotation mark mostly a word of some letters before it:
  // students', but xy'+y and xy''.
  [[nodiscard]] bool is_prime() const {
    const char32_t behind = at_ + 1 < text_.size() ? text_[at_ + 1] : 0;
    const bool is_word = at_ > 1 && is_letter(text_[at_ - 1]) && is_letter(text_[at_ - 2]) &&
                         text_[at_ - 1] >= U'a' && text_[at_ - 2] >= U'a';
    const bool goes_on =
        !quotation_.is_open() && (is_digit(behind) || is_quote(behind) || is_one_of(next(), U"=<>≤≥≠") ||
                                  is_one_of(next(), rule_words::operators));
    return (is_operand(before_) || is_one_of(before_, U")]}|^")) && !is_letter(behind) &&
           (!is_word || goes_on);
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
  Quotation quotation_;
  std::u32string found_;
};

// Where something dropped stands: after how many letters, digits and symbols, and how many Han characters.
struct PlacedMark {
  char32_t what;
  std::size_t signs;
  std::size_t han;
};

struct PlacedMarks {
  std::vector<PlacedMark> blanks;    // empty brackets, low lines: one each, however wide
  std::vector<PlacedMark> grouping;  // brackets dropped for the Chinese in them, at operators
  std::vector<PlacedMark> emphasis;  // of what the question asks about
  std::vector<std::size_t> commas;   // in brackets, in formulas: how many signs stand before
  std::vector<PlacedMark> borders;   // of cells, between signs
  std::vector<PlacedMark> others;    // dashes for minus, apostrophes, ellipses, characters of private use
  // Letters, by how many signs stand before: those that a comma, or the end of a word, parts from the one
  // before, and those right behind a letter or number.
  std::vector<std::size_t> separate;
  std::vector<std::size_t> joined;
};

// Reads the normal form of a text from left to right.
class PlaceReader {
 public:
  PlaceReader(std::u32string_view text, const Subjects& subjects) : text_(text), subjects_(subjects) {}

  PlacedMarks read() && {
    while (at_ < text_.size()) {
      if (const std::size_t end = end_of_blank(); end > at_) {
        places_.blanks.push_back({U'_', signs_, han_});
        at_ = end;
      } else {
        take(text_[at_++]);
      }
    }
    std::erase_if(places_.grouping, [](const PlacedMark& place) { return place.what == 0; });
    return std::move(places_);
  }

 private:
  static constexpr std::u32string_view openings = U"([{【〔";
  static constexpr std::u32string_view closings = U")]}】〕";

  struct OpenBracket {
    char32_t closing;
    std::size_t at;
    std::size_t han;
    std::size_t operators;
    std::size_t place;  // in `grouping`
  };

  static bool is_operator(char32_t c) { return is_one_of(c, rule_words::operators); }

  [[nodiscard]] std::size_t end_of_blank() const {
    if (text_[at_] == U'_') return std::min(text_.find_first_not_of(U'_', at_), text_.size());
    const std::size_t kind = openings.find(text_[at_]);
    if (kind == std::u32string_view::npos) return at_;
    const std::size_t end = text_.find_first_not_of(U" \t\r\n_?", at_ + 1);
    return end < text_.size() && text_[end] == closings[kind] ? end + 1 : at_;
  }

  void take(char32_t c) {
    follow_omission(c);
    const CharacterClass kind = classes_[c];
    if (kind == CharacterClass::han) {
      ++han_;
      is_behind_sign_ = false;
      border_.reset();
      return;
    }
    if (is_border(c) && is_behind_sign_) border_ = c;
    if (is_quote(c)) take_quote();
    quotation_.pass(text_, at_ - 1);
    if (is_private(c) || (is_dash(c) && is_minus())) {
      places_.others.push_back({is_dash(c) ? U'—' : c, signs_, 0});
    }
    if (is_one_of(c, U",、") && open_.empty() && is_letter(next()) && is_operand(before(at_ - 1)))
      places_.separate.push_back(signs_);
    operators_ += is_operator(c) ? 1 : 0;
    if (kind == CharacterClass::opening) return open(c);
    if (kind == CharacterClass::closing) return close(c);
    if (is_one_of(c, U",、") && !open_.empty() && is_of_formula(before(at_ - 1), U")]}|'") &&
        is_of_formula(next(), U"([{|√+-")) {
      places_.commas.push_back(signs_);
    }
    if (is_emphasis(c) && (subjects_.emphasis || is_part_of_word())) {
      places_.emphasis.push_back({c, signs_, han_});
    }
    if (!is_kept(kind)) return;
    if (border_) places_.borders.push_back({*border_, signs_, 0});
    border_.reset();
    is_behind_sign_ = true;
    if (is_letter(c)) take_letter();
    ++signs_;
  }

  void take_letter() {
    const std::size_t at = at_ - 1;
    std::size_t end = at;  // of what stands before, a point between factors aside
    while (end > 0 && is_one_of(text_[end - 1], U"·⋅")) --end;
    if (end > 0 && is_operand(text_[end - 1])) return places_.joined.push_back(signs_);
    const std::u32string_view before = text_.substr(0, at);
    const std::size_t gap = before.find_last_not_of(U" \t\r\n\u00A0");
    const bool ends_word = gap < before.size() && gap + 1 < at && gap > 0 && is_small_letter(before[gap]) &&
                           is_letter(before[gap - 1]);
    if (ends_word && is_small_letter(text_[at]) && at + 1 < text_.size() && is_small_letter(text_[at + 1]))
      places_.separate.push_back(signs_);
  }

  // x>—1, but no dash of Chinese
  [[nodiscard]] bool is_minus() const {
    const char32_t behind = next();
    return !is_dash(before(at_ - 1)) && (is_operand(behind) || is_one_of(behind, U"(√∠"));
  }

  // 1、2、…、9
  void follow_omission(char32_t c) {
    if (is_one_of(c, U" \t\r\n\u3000,、;.…⋯")) {
      const bool is_ellipsis = is_one_of(c, U"…⋯") || text_.substr(at_ - 1, 3) == U"...";
      has_omission_ |= is_ellipsis && is_behind_operand_;
      return;
    }
    if (std::exchange(has_omission_, false) && is_operand(c)) places_.others.push_back({U'…', signs_, 0});
    is_behind_operand_ = is_operand(c);
  }

  // brother's, brothers', xy', but not 'good'
  void take_quote() {
    const std::size_t at = at_ - 1;
    const bool is_behind_letter = at > 0 && is_letter(text_[at - 1]);
    const bool is_before_letter = at_ < text_.size() && is_letter(text_[at_]);
    const bool ends_word = at > 1 && is_letter(text_[at - 2]) && !quotation_.is_open();
    if (is_behind_letter && (is_before_letter || ends_word)) places_.others.push_back({U'\'', signs_, 0});
  }

  void open(char32_t c) {
    const char32_t closing = closings[openings.find(c)];
    open_.push_back({closing, at_ - 1, han_, operators_, places_.grouping.size()});
    places_.grouping.push_back({0, signs_, han_});
  }

  void close(char32_t c) {
    if (open_.empty()) return;
    const OpenBracket opening = open_.back();
    if (opening.closing != c) return open_.clear();
    open_.pop_back();
    const bool groups =
        operators_ > opening.operators || is_operator(next()) || is_operator(before(opening.at));
    if (han_ == opening.han || !groups) return;
    places_.grouping[opening.place].what = U'(';
    places_.grouping.push_back({U')', signs_, han_});
  }

  static bool is_of_formula(char32_t c, std::u32string_view others) {
    return is_operand(c) || is_one_of(c, others);
  }

  // Is a letter marked, and the one beside it not? Nobody does that for style.
  [[nodiscard]] bool is_part_of_word() const {
    const std::size_t mark = at_ - 1;
    if (mark == 0 || !is_letter(text_[mark - 1])) return false;
    const bool follows_plain = mark > 1 && is_letter(text_[mark - 2]);
    const bool precedes_plain = at_ < text_.size() && is_letter(text_[at_]) &&
                                !(at_ + 1 < text_.size() && is_emphasis(text_[at_ + 1]));
    return follows_plain || precedes_plain;
  }

  [[nodiscard]] char32_t next() const {
    const std::size_t found = text_.find_first_not_of(U" \t\r\n", at_);
    return found < text_.size() ? text_[found] : 0;
  }

  [[nodiscard]] char32_t before(std::size_t at) const {
    const std::size_t found =
        at == 0 ? std::u32string_view::npos : text_.find_last_not_of(U" \t\r\n", at - 1);
    return found < text_.size() ? text_[found] : 0;
  }

  const CodePointTable<CharacterClass>& classes_ = character_classes();
  std::u32string_view text_;
  const Subjects& subjects_;
  std::size_t at_ = 0;
  std::size_t signs_ = 0;
  std::size_t han_ = 0;
  std::size_t operators_ = 0;
  bool is_behind_sign_ = false;
  Quotation quotation_;
  bool is_behind_operand_ = false;
  bool has_omission_ = false;       // since the last operand
  std::optional<char32_t> border_;  // since the last sign
  std::vector<OpenBracket> open_;
  PlacedMarks places_;
};

bool same_signs(const std::vector<PlacedMark>& a, const std::vector<PlacedMark>& b) {
  return std::ranges::equal(
      a, b, [](const PlacedMark& x, const PlacedMark& y) { return x.what == y.what && x.signs == y.signs; });
}

// Compares places in two texts: those in the Han parts by whether a cheapest alignment of these parts pairs
// them.
class PlaceComparison {
 public:
  PlaceComparison(std::u32string_view normal_a, std::u32string_view normal_b)
      : a_(split(normal_a).han), b_(split(normal_b).han) {}

  [[nodiscard]] bool same(const std::vector<PlacedMark>& a, const std::vector<PlacedMark>& b) {
    if (!same_signs(a, b)) return false;
    if (a_ == b_) return std::ranges::equal(a, b, {}, &PlacedMark::han, &PlacedMark::han);
    std::size_t sum = 0;
    PlacedMark from_a{};
    PlacedMark from_b{};
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += distance(from_a.han, a[i].han, from_b.han, b[i].han);
      from_a = a[i];
      from_b = b[i];
    }
    return sum + distance(from_a.han, a_.size(), from_b.han, b_.size()) == whole();
  }

 private:
  [[nodiscard]] std::size_t distance(std::size_t begin_a, std::size_t end_a, std::size_t begin_b,
                                     std::size_t end_b) const {
    const auto a = std::u32string_view(a_).substr(begin_a, end_a - begin_a);
    const auto b = std::u32string_view(b_).substr(begin_b, end_b - begin_b);
    return levenshtein_distance(a, b, std::max(a.size(), b.size()));
  }

  std::size_t whole() {
    if (!whole_) whole_ = distance(0, a_.size(), 0, b_.size());
    return *whole_;
  }

  std::u32string a_;
  std::u32string b_;
  std::optional<std::size_t> whole_;
};

// Does one text part letters that the other joins? a、b and ab, may be and maybe
bool parts_what_is_joined(const PlacedMarks& a, const PlacedMarks& b) {
  return std::ranges::any_of(a.separate,
                             [&](std::size_t place) { return std::ranges::binary_search(b.joined, place); });
}

bool same_places(std::u32string_view a, std::u32string_view b, const Subjects& subjects) {
  const PlacedMarks in_a = PlaceReader(a, subjects).read();
  const PlacedMarks in_b = PlaceReader(b, subjects).read();
  if (in_a.commas != in_b.commas) return false;
  if (!same_signs(in_a.others, in_b.others)) return false;
  if (parts_what_is_joined(in_a, in_b) || parts_what_is_joined(in_b, in_a)) return false;
  // A text may be without cells, as a table may be written with spaces.
  if (!in_a.borders.empty() && !in_b.borders.empty() && !same_signs(in_a.borders, in_b.borders)) return false;
  // A blank too many or too few tells nothing: a text may do without.
  const bool have_blanks = in_a.blanks.size() == in_b.blanks.size() && !in_a.blanks.empty();
  const bool have_others =
      in_a.grouping.size() + in_b.grouping.size() + in_a.emphasis.size() + in_b.emphasis.size() > 0;
  if (!have_blanks && !have_others) return true;
  PlaceComparison comparison(a, b);
  return (!have_blanks || comparison.same(in_a.blanks, in_b.blanks)) &&
         comparison.same(in_a.grouping, in_b.grouping) && comparison.same(in_a.emphasis, in_b.emphasis);
}

// The Han part of the options, or of a text without any. Stems are worded in several ways.
std::u32string wording(std::u32string_view text) {
  const std::size_t options = std::min(text.find(U"A."), text.find(U"A、"));
  return split(text.substr(options < text.size() ? options : 0)).han;
}

}  // namespace

bool same_dropped_notation(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::u32string normal_a = normalise(a);
  const std::u32string normal_b = normalise(b);
  Subjects subjects;
  for (const std::u32string& text : {normal_a, normal_b}) subjects.add(text);
  if (subjects.wording && wording(normal_a) != wording(normal_b)) return false;
  return NotationReader(normal_a, subjects).read() == NotationReader(normal_b, subjects).read() &&
         same_places(normal_a, normal_b, subjects);
}

}  // namespace qdedup::refine
