#include "refine/joints.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "refine/character_class.h"
#include "refine/flattened_marks.h"
#include "refine/notation_characters.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

const HanTable<bool>& numerals() {
  static const HanTable<bool> table = han_set({rule_words::numerals});
  return table;
}

// Reads the text from left to right.
class JointReader {
 public:
  explicit JointReader(std::u32string_view text) : text_(text) {}

  TextJoints read() && {
    for (; at_ < text_.size(); ++at_) take(text_[at_]);
    return std::move(found_);
  }

 private:
  // What stands between two characters that are kept.
  struct Gap {
    bool has_space = false;
    bool has_comma = false;
    bool has_link = false;
  };

  void take(char32_t c) {
    const CharacterClass kind = classes_[c];
    if (kind == CharacterClass::han) {
      take_han(c);
    } else if (is_white_space(c)) {
      gap_.has_space = true;
    } else if (is_kept(kind)) {
      take_sign(c);
    } else if (is_one_of(c, U",、;") || (is_border(c) && !is_between_digits())) {
      gap_.has_comma = true;
    } else if (is_point(c) || is_dash(c) || c == U'〜') {
      gap_.has_link = true;
    } else if (!is_passed_over(c, kind)) {
      before_ = 0;
    }
  }

  // Nothing stands in empty brackets, and that may be a blank.
  [[nodiscard]] bool is_passed_over(char32_t c, CharacterClass kind) const {
    if (kind == CharacterClass::opening) return classes_[next()] != CharacterClass::closing;
    return kind == CharacterClass::closing || kind == CharacterClass::exclamation || is_flattened_mark(c) ||
           is_quote(c) || is_combining(c);
  }

  // Numbers may stand in cells here and behind spaces there.
  [[nodiscard]] bool is_between_digits() const { return is_digit(before_) && is_digit(next()); }

  void take_sign(char32_t c) {
    if (before_ != 0 && !numerals_[before_]) take_joint(found_.signs, signs_, is_joined_to(c), ends_word());
    ++signs_;
    begin_gap(c);
  }

  void take_han(char32_t c) {
    const bool is_numeral = numerals_[c];
    if (is_numeral && numerals_[before_]) take_joint(found_.numerals, han_, !gap_.has_space, false);
    ++han_;
    begin_gap(is_numeral ? c : 0);
  }

  void take_joint(Joints& joints, std::size_t place, bool is_joined, bool ends_word) const {
    if (gap_.has_comma || ends_word) {
      joints.parted.push_back(place);
    } else if (gap_.has_link || is_joined) {
      joints.joined.push_back(place);
    }
  }

  void begin_gap(char32_t c) {
    before_ = c;
    gap_ = {};
    behind_ = at_ + 1;
  }

  // 3-5, 3 - 5 and 12 345, but not 3 -5.
  [[nodiscard]] bool is_joined_to(char32_t c) const {
    if (!gap_.has_space) return true;
    if (is_digit(c)) return is_of_thousands();
    return is_one_of(c, U"+-") && is_white_space(at(1));
  }

  [[nodiscard]] bool is_of_thousands() const {
    if (behind_ + 1 != at_ || !is_digit(before_)) return false;
    const std::size_t end = std::min(text_.find_first_not_of(U"0123456789", at_), text_.size());
    return end - at_ == 3;
  }

  // May be, but not A b: words have two letters, if it is not "a".
  [[nodiscard]] bool ends_word() const {
    if (!gap_.has_space || !is_small_letter(at(0)) || !is_small_letter(at(1)) || !is_small_letter(before_) ||
        !is_white_space(at(-1)) || !is_white_space(text_[behind_]))
      return false;
    return before_ == U'a' || (behind_ > 1 && is_letter(text_[behind_ - 2]));
  }

  // What stands so many characters behind this one; 0 for nothing.
  [[nodiscard]] char32_t at(std::ptrdiff_t offset) const {
    return character_at(text_, at_ + static_cast<std::size_t>(offset));
  }

  // What stands behind this one, white space aside.
  [[nodiscard]] char32_t next() const { return character_behind_space(text_, at_ + 1); }

  const CodePointTable<CharacterClass>& classes_ = character_classes();
  const HanTable<bool>& numerals_ = numerals();
  std::u32string_view text_;
  std::size_t at_ = 0;
  std::size_t signs_ = 0;
  std::size_t han_ = 0;
  char32_t before_ = 0;     // the last sign or numeral, if what stands behind it may go on with it
  std::size_t behind_ = 0;  // where the gap behind that begins
  Gap gap_;
  TextJoints found_;
};

}  // namespace

TextJoints joints(std::u32string_view text) { return JointReader(text).read(); }

}  // namespace qdedup::refine
