#pragma once

#include <array>
#include <cstddef>
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

// What attributes say of what is shown, but no text: how a list is numbered, which cells are one, what is
// checked, that letters run from right to left. Empty for nothing.
std::string unwritten_in(const HtmlToken& tag);

// Does it have an attribute with the name of one that may hold a formula?
bool may_hold_formula(const HtmlToken& tag);

// Is the value of such an attribute one, and not a word or number about the element?
bool looks_like_formula(std::string_view value);

// What scripts with the source of a formula have as their type.
inline constexpr std::array<std::string_view, 3> script_types = {"math/tex", "math/mml", "math/asciimath"};
bool may_hold_scripts(std::string_view page);

// Does a page hide it from people?
bool is_hidden(const HtmlToken& tag, std::string_view classes, const Style& style);

// Is it a place for an answer, as long as it is empty? Blocks with `blank` in their class are gaps of the
// layout.
bool is_to_fill_in(const HtmlToken& tag, std::string_view classes, bool is_inline);

// A formula that MathQuill draws.
bool is_of_mathquill(std::string_view classes);

// Raises or lowers what is short enough to be an exponent or index, if it is small or its class says so.
void set_as_script(std::string_view classes, Style& style);

// Does it set words in another type?
bool stands_out(const HtmlToken& tag, const Style& style);

// Within the formula of a page: does it only draw it?
bool draws_formula(const HtmlToken& tag, std::string_view classes);

// What is written in the font Symbol, from `begin` on.
void shift_symbols(std::string& text, std::size_t begin);

// White space that the lines from `begin` on start with, so that it stays.
void keep_indentation(std::string& text, std::size_t begin);

// Does it show a formula of MathJax, whose source stands in a script?
bool is_of_mathjax(std::string_view classes);

// Sites mark words by classes such as mathjye-underpoint and under-line: what is drawn.
std::string_view drawn_by_class(std::string_view classes);

// Appends a part of the value of an attribute, as text.
void append_value(std::string& text, std::string_view value);

}  // namespace qdedup::markup
