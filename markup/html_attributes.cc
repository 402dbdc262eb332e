#include "markup/html_attributes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/marks.h"

namespace qdedup::markup {

Style style_of(const HtmlToken& tag) {
  const std::string_view style = tag.attribute("style").value_or("");
  const bool has_references = style.find('&') != std::string_view::npos;
  return has_references ? read_style(decoded(style)) : read_style(style);
}

std::string address_of(const HtmlToken& tag) {
  std::string address;
  // A picture that is loaded late has another one in its place.
  for (const std::string_view name : {"data-src", "data-original", "src", "data"}) {
    if (address.empty()) address = decoded(tag.attribute(name).value_or(""));
  }
  return address;
}

std::string background_of(const HtmlToken& tag) {
  constexpr std::string_view opening = "url(";
  const std::string_view style = tag.attribute("style").value_or("");
  if (style.find(opening) == std::string_view::npos) return {};
  const std::string declarations = decoded(style);
  const std::size_t property = in_lower_case(declarations).find("background");
  const std::size_t begin = declarations.find(opening, property);
  const std::size_t end = declarations.find(')', begin);
  if (declarations.find(';', property) < begin || end == std::string::npos) return {};
  std::string address = declarations.substr(begin + opening.size(), end - begin - opening.size());
  std::erase_if(address, [](char c) { return c == '"' || c == '\'' || is_white_space(c); });
  return address;
}

std::string_view filled_in(const HtmlToken& tag) {
  const std::string type = in_lower_case(tag.attribute("type").value_or("text"));
  const bool is_text = type.empty() || type == "text" || type == "number";
  return is_text ? tag.attribute("value").value_or("") : std::string_view();
}

bool may_hold_formula(const HtmlToken& tag) {
  static constexpr ByteSet first_letters("dDlL");
  return std::ranges::any_of(tag.attributes, [](const HtmlAttribute& attribute) {
    return attribute.name.size() >= std::string_view("latex").size() && first_letters.has(attribute.name[0]);
  });
}

std::string of_wiris(std::string_view written) {
  if (written.find("«") == std::string_view::npos) return std::string(written);
  constexpr std::array<std::pair<std::string_view, char>, 4> signs = {
      {{"«", '<'}, {"»", '>'}, {"¨", '"'}, {"§", '&'}}};
  std::string page;
  for (std::size_t at = 0; at < written.size();) {
    const auto* const sign =
        std::ranges::find(signs, written.substr(at, 2), &std::pair<std::string_view, char>::first);
    page += sign == signs.end() ? written[at] : sign->second;
    at += sign == signs.end() ? 1 : 2;
  }
  return page;
}

bool is_of_mathjax(std::string_view classes) {
  constexpr std::array<std::string_view, 6> rendered = {"MathJax",       "MathJax_Display",     "MathJax_SVG",
                                                        "MathJax_CHTML", "MathJax_SVG_Display", "mjx-chtml"};
  constexpr auto absent = std::string_view::npos;
  if (classes.find("MathJax") == absent && classes.find("mjx-chtml") == absent) return false;
  return std::ranges::any_of(rendered, [classes](auto name) { return has_class(classes, name); });
}

std::string_view drawn_by_class(std::string_view classes) {
  const auto has = [classes](std::string_view word) { return classes.find(word) != std::string_view::npos; };
  if (has("underpoint") || has("under-point")) return drawn::dots;
  return has("underline") || has("under-line") ? drawn::line_below : std::string_view();
}

void append_value(std::string& text, std::string_view value) {
  const std::size_t begin = text.size();
  append_decoded(text, value, true);
  mark::remove_controls(text, begin);
}

}  // namespace qdedup::markup
