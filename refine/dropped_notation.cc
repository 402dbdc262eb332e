#include "refine/dropped_notation.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "refine/alignment.h"
#include "refine/character_class.h"
#include "refine/common_affixes.h"
#include "refine/distance.h"
#include "refine/flattened_marks.h"
#include "refine/joints.h"
#include "refine/notation_characters.h"
#include "refine/option_markers.h"
#include "refine/parts.h"
#include "refine/placed_marks.h"
#include "refine/rule_words.h"
#include "refine/subjects.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

bool is_punctuation(char32_t c) {
  const bool is_ascii = c > U' ' && c < 0x7F && !is_alphanumeric(c);
  return is_ascii || (c >= 0x2010 && c <= 0x205E) || (c >= 0x3001 && c <= 0x303F);
}

// The punctuation, each with what stands before it; spaces between Han characters, if they count.
std::u32string punctuation_of(std::u32string_view text, bool spaces_count) {
  const auto is_han = [](char32_t c) { return character_classes()[c] == CharacterClass::han; };
  std::u32string found;
  char32_t before = 0;
  bool is_behind_space = false;
  for (const char32_t c : text) {
    if (is_white_space(c)) {
      is_behind_space = true;
      continue;
    }
    if (std::exchange(is_behind_space, false) && spaces_count && is_han(before) && is_han(c))
      found.append({before, U' '});
    if (is_punctuation(c)) found.append({before, is_quote(c) ? U'\'' : c});
    before = c;
  }
  return found;
}

// The Han characters that may stand for signs.
const HanTable<bool>& may_be_signs() {
  static const HanTable<bool> table =
      han_set({rule_words::bars_of_han, rule_words::one, rule_words::signs_of_han});
  return table;
}

// A text in normal form, with signs for the Han characters that stand for them in formulas, as OCR and input
// methods write them: 丨x丨 for |x|, x一1 for x-1, 3口8 for 3□8.
class WrittenSigns {
 public:
  explicit WrittenSigns(std::u32string text) : text_(std::move(text)) {}

  // From the end: what stands behind a character tells what it is.
  std::u32string read() && {
    for (std::size_t at = text_.size(); at > 0; --at) text_[at - 1] = sign(at - 1);
    return std::move(text_);
  }

 private:
  [[nodiscard]] char32_t sign(std::size_t at) const {
    const char32_t c = text_[at];
    if (!may_be_signs()[c]) return c;
    if (is_one_of(c, rule_words::bars_of_han))
      return is_formula(before(at)) || is_formula(behind(at)) ? vertical_bar_mark : c;
    if (c == rule_words::one.front()) return is_minus(at) ? U'—' : c;
    const bool is_sign =
        is_one_of(c, rule_words::signs_of_han) && is_formula(before(at)) && is_formula(behind(at));
    return is_sign ? first_of_a_font + c : c;
  }

  // x一1 and 计算一3, but neither 任一x nor 一个
  [[nodiscard]] bool is_minus(std::size_t at) const {
    if (is_one_of(before(at), rule_words::pointers_to_one)) return false;
    return is_digit(behind(at)) || (!is_one_of(before(at), rule_words::pointers_and_quantifiers) &&
                                    begins_formula(std::u32string_view(text_).substr(at + 1)));
  }

  static bool is_formula(char32_t c) {
    const CharacterClass kind = character_classes()[c];
    return (is_kept(kind) && kind != CharacterClass::han) || kind == CharacterClass::opening ||
           kind == CharacterClass::closing;
  }

  // What stands there, white space aside; 0 for nothing.
  [[nodiscard]] char32_t before(std::size_t at) const {
    while (at > 0 && is_white_space(text_[at - 1])) --at;
    return at > 0 ? text_[at - 1] : 0;
  }
  [[nodiscard]] char32_t behind(std::size_t at) const { return character_behind_space(text_, at + 1); }

  std::u32string text_;
};

// A text as its dropped notation is read.
class WrittenText {
 public:
  // The forms have to live as long.
  explicit WrittenText(const TextForms& forms)
      : forms_(forms), text_(WrittenSigns(forms.with_flattened_marks()).read()) {}

  operator std::u32string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::u32string han() const {
    return text_ == forms_.normal() ? forms_.parts().han : split(text_).han;
  }

 private:
  const TextForms& forms_;
  std::u32string text_;
};

// An option without the white space around it and the stop behind it.
std::u32string_view bare(std::u32string_view option) {
  const auto trim = [&option] {
    while (!option.empty() && is_white_space(option.front())) option.remove_prefix(1);
    while (!option.empty() && is_white_space(option.back())) option.remove_suffix(1);
  };
  trim();
  if (!option.empty() && is_one_of(option.back(), U".。;,、")) option.remove_suffix(1);
  trim();
  return option;
}

std::vector<std::u32string_view> options_of(std::u32string_view text) {
  std::vector<std::u32string_view> options;
  for (const OptionStretch& stretch : find_options(text))
    options.push_back(bare(text.substr(stretch.begin, stretch.end - stretch.begin)));
  return options;
}

// The punctuation of options, if two of them are told apart only by what the test drops; else nothing.
std::u32string punctuation_of_alike(const std::vector<std::u32string_view>& options) {
  std::vector<std::pair<Parts, std::u32string_view>> seen;
  std::u32string found;
  bool are_alike = false;
  for (const std::u32string_view option : options) {
    Parts parts = split(option);
    are_alike = are_alike || std::ranges::any_of(seen, [&](const auto& known) {
                  return known.second != option && known.first == parts;
                });
    seen.emplace_back(std::move(parts), option);
    found.append(punctuation_of(option, true)).push_back(U'\n');
  }
  return are_alike ? found : std::u32string();
}

bool same_punctuation_of_alike(std::u32string_view a, std::u32string_view b) {
  const std::vector<std::u32string_view> options_a = options_of(a);
  const std::vector<std::u32string_view> options_b = options_of(b);
  return options_a == options_b || punctuation_of_alike(options_a) == punctuation_of_alike(options_b);
}

bool same_signs(const std::vector<PlacedMark>& a, const std::vector<PlacedMark>& b) {
  return std::ranges::equal(
      a, b, [](const PlacedMark& x, const PlacedMark& y) { return x.what == y.what && x.signs == y.signs; });
}

// Compares places in two texts: those in the Han parts by whether a cheapest alignment of these parts pairs
// them.
class PlaceComparison {
 public:
  PlaceComparison(std::u32string han_a, std::u32string han_b)
      : a_(std::move(han_a)), b_(std::move(han_b)), affixes_(common_affixes(a_, b_)) {}

  [[nodiscard]] bool same(const std::vector<PlacedMark>& a, const std::vector<PlacedMark>& b) {
    if (!same_signs(a, b)) return false;
    if (a_ == b_) return std::ranges::equal(a, b, {}, &PlacedMark::han, &PlacedMark::han);
    if (std::ranges::equal(
            a, b, [this](const PlacedMark& x, const PlacedMark& y) { return are_paired(x.han, y.han); }))
      return true;
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

  // One too many or too few tells nothing: a text may do without.
  [[nodiscard]] bool same_if_as_many(const std::vector<PlacedMark>& a, const std::vector<PlacedMark>& b) {
    return a.empty() || a.size() != b.size() || same(a, b);
  }

  // The same of blanks; a text may have one more, for the answer.
  [[nodiscard]] bool same_blanks(const std::vector<PlacedMark>& a, const std::vector<PlacedMark>& b) {
    constexpr std::size_t max_blanks = 16;
    const bool more_in_a = a.size() > b.size();
    const std::vector<PlacedMark>& more = more_in_a ? a : b;
    const std::size_t fewer = std::min(a.size(), b.size());
    if (fewer == 0 || more.size() != fewer + 1) return same_if_as_many(a, b);
    if (more.size() > max_blanks) return false;
    for (std::size_t i = 0; i < more.size(); ++i) {
      std::vector<PlacedMark> rest = more;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (more_in_a ? same(rest, b) : same(a, rest)) return true;
    }
    return false;
  }

 private:
  // Within what both parts begin or end with.
  [[nodiscard]] bool are_paired(std::size_t in_a, std::size_t in_b) const {
    const std::size_t behind = a_.size() - in_a;
    return (in_a == in_b && in_a <= affixes_.prefix) ||
           (behind == b_.size() - in_b && behind <= affixes_.suffix);
  }

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
  CommonAffixes affixes_;
  std::optional<std::size_t> whole_;
};

bool shares(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  return std::ranges::any_of(a, [&](std::size_t place) { return std::ranges::binary_search(b, place); });
}

// Those within stretches of the Han part that are the same in the other text, as places in that one.
std::vector<std::size_t> moved(const std::vector<std::size_t>& places,
                               const std::vector<AlignedStretch>& stretches) {
  std::vector<std::size_t> moved;
  auto place = places.begin();
  for (const AlignedStretch& stretch : stretches) {
    for (; place != places.end() && *place < stretch.a_end; ++place) {
      if (stretch.same && *place > stretch.a_begin)
        moved.push_back(*place - stretch.a_begin + stretch.b_begin);
    }
  }
  return moved;
}

// Does one text part what the other joins? a、b and ab, may be and maybe, 三十、五 and 三十五
bool parts_what_is_joined(const WrittenText& a, const WrittenText& b) {
  const TextJoints of_a = joints(a);
  const TextJoints of_b = joints(b);
  if (shares(of_a.signs.parted, of_b.signs.joined) || shares(of_b.signs.parted, of_a.signs.joined))
    return true;
  if (of_a.numerals.parted.empty() && of_b.numerals.parted.empty()) return false;
  const std::vector<AlignedStretch> stretches = align(a.han(), b.han());
  return shares(moved(of_a.numerals.parted, stretches), of_b.numerals.joined) ||
         shares(moved(of_a.numerals.joined, stretches), of_b.numerals.parted);
}

bool same_places(const WrittenText& a, const WrittenText& b, const Subjects& subjects) {
  const PlacedMarks in_a = placed_marks(a, subjects);
  const PlacedMarks in_b = placed_marks(b, subjects);
  if (!same_signs(in_a.notation, in_b.notation)) return false;
  if (parts_what_is_joined(a, b)) return false;
  // A text may be without cells, as a table may be written with spaces.
  if (!in_a.borders.empty() && !in_b.borders.empty() && !same_signs(in_a.borders, in_b.borders)) return false;
  const std::size_t of_words = in_a.blanks.size() + in_a.speech.size() + in_a.remarks.size() +
                               in_a.grouping.size() + in_b.grouping.size() + in_a.figures.size() +
                               in_b.figures.size() + in_a.emphasis.size() + in_b.emphasis.size() +
                               in_a.underlined.size();
  if (of_words == 0) return true;
  PlaceComparison comparison(a.han(), b.han());
  return comparison.same_blanks(in_a.blanks, in_b.blanks) &&
         comparison.same_if_as_many(in_a.speech, in_b.speech) &&
         comparison.same_if_as_many(in_a.remarks, in_b.remarks) &&
         comparison.same_if_as_many(in_a.underlined, in_b.underlined) &&
         comparison.same(in_a.grouping, in_b.grouping) && comparison.same(in_a.figures, in_b.figures) &&
         comparison.same(in_a.emphasis, in_b.emphasis);
}

// What stands in double quotation marks.
std::u32string quoted(std::u32string_view text) {
  std::u32string found;
  bool is_open = false;
  for (const char32_t c : text) {
    if (is_double_quote(c)) {
      is_open = c == U'“' || (c == U'"' && !is_open);
    } else if (is_open) {
      found += c;
    }
  }
  return found;
}

// The Han part of the options and of what the stem quotes, or of a text without options. Stems are worded in
// several ways.
std::u32string wording(std::u32string_view text) {
  const std::size_t options = std::min(text.find(U"A."), text.find(U"A、"));
  if (options >= text.size()) return split(text).han;
  return split(quoted(text.substr(0, options)) + std::u32string(text.substr(options))).han;
}

}  // namespace

bool same_dropped_notation(const TextForms& a, const TextForms& b) {
  if (a.utf8() == b.utf8()) return true;
  const WrittenText text_a(a);
  const WrittenText text_b(b);
  if (std::u32string_view(text_a) == text_b) return true;
  Subjects subjects;
  for (const WrittenText* text : {&text_a, &text_b}) subjects.add(*text);
  if (subjects.wording && wording(text_a) != wording(text_b)) return false;
  if (!same_punctuation_of_alike(text_a, text_b)) return false;
  if (subjects.punctuation &&
      punctuation_of(text_a, subjects.pauses) != punctuation_of(text_b, subjects.pauses))
    return false;
  return same_places(text_a, text_b, subjects);
}

}  // namespace qdedup::refine
