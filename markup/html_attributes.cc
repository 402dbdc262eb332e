#include "markup/html_attributes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/marks.h"

namespace qdedup::markup {
namespace {

// At the semicolon that ends the first declaration of a style; those in brackets are of an address.
std::size_t end_of_declaration(std::string_view style) {
  bool in_brackets = false;
  for (std::size_t at = 0; at < style.size(); ++at) {
    if (style[at] == '(' || style[at] == ')') in_brackets = style[at] == '(';
    if (style[at] == ';' && !in_brackets) return at;
  }
  return style.size();
}

}  // namespace

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
  const std::string decoded_style = decoded(style);
  std::string address;
  for (std::string_view rest = decoded_style; !rest.empty();) {
    const std::string_view declaration = rest.substr(0, end_of_declaration(rest));
    rest.remove_prefix(std::min(declaration.size() + 1, rest.size()));
    std::string property = in_lower_case(declaration.substr(0, declaration.find(':')));
    std::erase_if(property, is_white_space);
    if (property != "background" && property != "background-image") continue;
    const std::size_t begin = declaration.find(opening);
    const std::size_t end = declaration.find(')', begin);
    address = end < declaration.size()
                  ? declaration.substr(begin + opening.size(), end - begin - opening.size())
                  : std::string_view();
  }
  std::erase_if(address, [](char c) { return c == '"' || c == '\'' || is_white_space(c); });
  return address;
}

std::optional<std::string_view> filled_in(const HtmlToken& tag) {
  const std::string type = in_lower_case(tag.attribute("type").value_or("text"));
  const bool is_text = type.empty() || type == "text" || type == "number";
  if (!is_text) return std::nullopt;
  return tag.attribute("value").value_or("");
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
