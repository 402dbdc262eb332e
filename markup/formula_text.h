#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "refine/normal_forms.h"

namespace qdedup::markup {

// A text with LaTeX and marks, of which a part has been read: what stands next in it, and whether that is
// meant as a part of a formula.
class FormulaText {
 public:
  explicit FormulaText(std::string_view text);

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

  // The byte that stands so far ahead; a space beyond the end.
  [[nodiscard]] char next(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' ';
  }

  // Of the character there; 0 at the end.
  [[nodiscard]] std::size_t length(std::size_t ahead = 0) const;

  // Those that stand there, perhaps none.
  [[nodiscard]] std::string_view letters(std::size_t ahead) const;

  // May it be something else than plain text?
  [[nodiscard]] bool is_special() const { return is_special(at_); }

  // At ^ or _ outside of formulas: is it a script?
  [[nodiscard]] bool is_power() const;
  [[nodiscard]] bool is_index() const;

  // At ' outside of formulas: f' and A'B', but neither it's nor the boys'.
  [[nodiscard]] bool is_prime() const;

  // At ~ outside of formulas: LaTeX's space that keeps words together, but not the sign of 3~5 and $3$~$5$.
  [[nodiscard]] bool is_tied_space() const;

  // Do three digits stand there, and no more, as behind the thousands of a number?
  [[nodiscard]] bool is_thousands() const;

  // At \/: does it part the two of a dash, -\/-, as some programs write it?
  [[nodiscard]] bool is_in_dash() const;

  // Does the text hold dollars, a formula of a tag or a command that has a rule, anywhere?
  [[nodiscard]] bool is_latex();

  // At {: does the name of a function stand before it?
  [[nodiscard]] bool follows_function() const;

  // At { or [: the command that stands before it without its backslash, as in frac{1}{2}; empty for none.
  [[nodiscard]] std::string_view bare_command() const;

  // At $: is there another one that ends the formula?
  [[nodiscard]] bool has_single_end() const;
  bool has_double_end();

  void skip(std::size_t bytes) { at_ += bytes; }
  void skip_gaps();
  void skip_star();     // that belongs to the command before
  void skip_word();     // \bg_white: the colour belongs to the command
  void skip_leading();  // what may follow \\: [2pt]

  std::string_view take(std::size_t bytes);

  // All up to what is special, at least one byte.
  std::string_view take_plain();

  // The whole number with its sign, as people mean it who write x^10; else one character.
  std::string_view take_script();

  // The characters of a run of superscripts, or subscripts, of Unicode.
  std::string take_script_run(bool is_raised);

  // The raised or lowered character that comes next, if it is one.
  [[nodiscard]] std::optional<refine::ScriptCharacter> script() const;

  // The columns of an array, without their braces: {|c|*{3}{l}|}.
  std::string_view take_columns();

  // A name in braces; empty where there is none.
  std::string_view take_name();

  // Two numbers in braces, if that is what comes.
  std::optional<std::pair<std::string_view, std::string_view>> take_numbers();

  // The address of a figure in Markdown, ![](address), if that is what comes.
  std::optional<std::string_view> take_markdown();

 private:
  [[nodiscard]] char byte_at(std::size_t at) const { return at < text_.size() ? text_[at] : ' '; }
  [[nodiscard]] bool is_special(std::size_t at) const;
  [[nodiscard]] bool is_base_of_logarithm() const;
  [[nodiscard]] std::size_t end_of_number(std::size_t at) const;
  [[nodiscard]] std::size_t end_of_number_in_braces(std::size_t at) const;

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_latex_;
  bool doubles_end_ = false;  // no $$ follows
  std::optional<bool> is_latex_;
};

}  // namespace qdedup::markup
