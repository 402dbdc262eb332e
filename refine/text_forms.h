#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refine/parts.h"

namespace qdedup::refine {

// A text in the forms in which the check of a pair reads it. Linear.
class TextForms {
 public:
  // Reads UTF-8, which has to live as long.
  explicit TextForms(std::string_view utf8);

  [[nodiscard]] std::string_view utf8() const { return utf8_; }

  // The code points.
  [[nodiscard]] std::u32string_view original() const { return original_; }

  // Each code point brought into its normal form by itself (combining marks stay apart), with the marks of
  // superscripts and subscripts.
  [[nodiscard]] std::u32string_view characters() const { return characters_; }

  // The code point of the original that a character is made of.
  [[nodiscard]] std::size_t origin(std::size_t character) const {
    return origins_.empty() ? character : origins_[character];
  }

  // normalise()
  [[nodiscard]] std::u32string_view normal() const { return in_context_ ? *in_context_ : characters_; }

  // with_flattened_marks(), made anew
  [[nodiscard]] std::u32string with_flattened_marks() const;

  // Of the normal form.
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  void read_others();

  std::string_view utf8_;
  std::u32string original_;
  std::u32string characters_;
  std::vector<std::size_t> origins_;          // of each character; none where they are the originals' own
  std::optional<std::u32string> in_context_;  // the normal form, where that is not one by one
  bool is_flattened_ = false;                 // the normal form may hide what with_flattened_marks() shows
  Parts parts_;
};

// Marks the first digit of a number, so that 3 12 is not 31 2: beyond Unicode and all meanings of words.
inline constexpr char32_t starts_number = 0x80000000;

// The characters that a layout of the text would have, with the first digit of each number marked: equal for
// two questions that have the same words in the same order. Linear, and much faster than the layout.
std::u32string kept_characters(const TextForms& text);

}  // namespace qdedup::refine
