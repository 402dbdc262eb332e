#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "markup/html_tokenizer.h"
#include "markup/style.h"

// What the attributes of a tag say.
namespace qdedup::markup {

Style style_of(const HtmlToken& tag);

// Of the picture that it shows; empty for none.
std::string address_of(const HtmlToken& tag);

// Of the picture that its style draws behind it; empty for none.
std::string background_of(const HtmlToken& tag);

// What a field for text shows; nothing for buttons, boxes and the like.
std::optional<std::string_view> filled_in(const HtmlToken& tag);

// Does it have an attribute with the name of one that may hold a formula?
bool may_hold_formula(const HtmlToken& tag);

// MathML without the signs that WIRIS writes for those of tags.
std::string of_wiris(std::string_view written);

// Does it show a formula of MathJax, whose source stands in a script?
bool is_of_mathjax(std::string_view classes);

// Sites mark words by classes such as mathjye-underpoint and under-line: the combining character for that.
std::string_view drawn_by_class(std::string_view classes);

// Appends a part of the value of an attribute, as text.
void append_value(std::string& text, std::string_view value);

}  // namespace qdedup::markup
