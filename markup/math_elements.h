#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "markup/element_stack.h"
#include "markup/html_tokenizer.h"

namespace qdedup::markup {

// Writes the marks of formulas in MathML and of Word (Office Math) around the texts of their elements.
// Nothing of what is hidden may be passed to it.
class MathElements {
 public:
  explicit MathElements(std::string& text) : text_(text) {}

  // The mark between the children of `parent`, before the one with this name.
  void begin_child(std::string_view name, ElementKind kind, Element& parent);

  // Of an element of MathML: what it begins with.
  void begin(const HtmlToken& tag, Element& element);

  // What stands in formulas of Word, and in those that MathJax draws by classes.
  void begin_of_word(const HtmlToken& tag, std::string_view name, Element& element);

  void end(Element& element);

 private:
  // What the properties of a formula of Word say.
  struct Properties {
    std::string_view begin = "(";
    std::string_view end = ")";
    std::string_view separator = "|";
    std::string_view character = {};
    bool hides_degree = false;
    std::size_t fraction = 0;  // after its mark
  };

  void begin_child_of_root(std::string_view name, Element& parent, std::uint32_t child);
  void begin_script(Element& parent, char kind);
  void close_script(Element& parent);
  void put_separator(std::string_view& separators);
  void begin_enclosed(std::string_view notation, Element& element);
  void read_property(std::string_view name, std::optional<std::string_view> value);

  std::string& text_;
  Properties properties_;  // that were read last
};

}  // namespace qdedup::markup
