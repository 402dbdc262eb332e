#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "markup/html_reader.h"
#include "markup/html_tokenizer.h"

namespace qdedup::markup {

// Writes the formulas and figures of a page into its text, which must outlive this.
class HtmlFormulas {
 public:
  // What an attribute or a comment holds (`is_inner`) has no such things of its own.
  HtmlFormulas(MarkedText& result, bool draws, bool is_inner)
      : result_(result), draws_(draws), is_inner_(is_inner) {}

  void put_latex(std::string_view latex);

  // MathML, perhaps with the signs that WIRIS writes for those of tags; false where it holds no formula.
  bool put_mathml(std::string_view written);

  // The formula that an attribute of an element holds, if one does; `behind` stands behind its tag. Some have
  // it even where the element is hidden.
  bool put_attribute(const HtmlToken& tag, std::string_view behind, bool may_be_hidden);

  // What a field of Word shows, by the comment that holds it; nothing for all but those of formulas.
  void put_field(std::string_view comment);

  void add_image(const HtmlToken& tag, std::string_view classes);
  void add_figure(Figure figure);

  // Of the sound, film or picture around, which may have come already.
  void add_source(const HtmlToken& tag, bool has_come);

  // A formula of which only a drawing is there, known by that.
  void put_picture(std::string_view source);

  // Where the last text, formula or figure ends.
  [[nodiscard]] std::size_t shown_end() const { return shown_end_; }
  void note_shown() { shown_end_ = result_.text.size(); }

 private:
  // LaTeX or MathML; false for MathML that holds no formula.
  bool put_written(const std::string& formula);

  MarkedText& result_;
  bool draws_;
  bool is_inner_;
  std::size_t shown_end_ = 0;
  std::string source_;  // of the picture that is to come
};

}  // namespace qdedup::markup
