#include "markup/html_attributes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/figures.h"
#include "markup/marks.h"
#include "refine/unicode.h"

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

bool is_picture(std::string_view path) {
  constexpr std::array<std::string_view, 9> endings = {".png",  ".jpg", ".jpeg", ".gif", ".svg",
                                                       ".webp", ".bmp", ".wmf",  ".emf"};
  return std::ranges::any_of(endings, [path](std::string_view ending) { return path.ends_with(ending); });
}

// May it be that of a picture that is loaded late? Each site has a name of its own for it.
bool is_late_address(std::string_view attribute, std::string_view value) {
  constexpr std::array<std::string_view, 6> names = {"file",      "zoomfile",   "data-url",
                                                     "data-echo", "data-image", "data-img"};
  const std::string name = in_lower_case(attribute);
  if (name.starts_with("src")) return false;
  const std::string path = in_lower_case(value.substr(0, value.find_first_of("?#")));
  const bool has_folder = path.find('/') != std::string::npos;
  const bool is_named = name.find("src") != std::string::npos || name.starts_with("data-lazy") ||
                        std::ranges::count(names, name) > 0;
  if (!is_named) return has_folder && is_picture(path);  // not the name of a file that was uploaded
  return is_picture(path) || (has_folder && std::ranges::any_of(path, is_letter));
}

// Of a set of addresses with sizes the first one.
std::string address_in(std::string_view name, std::string_view value) {
  std::string address = decoded(value);
  if (!in_lower_case(name).ends_with("srcset")) return address;
  const std::size_t begin = std::min(address.find_first_not_of(" \n\t"), address.size());
  if (address.substr(begin).starts_with("data:")) return address;
  return address.substr(begin, address.find_first_of(" \n\t", begin) - begin);
}

}  // namespace

Style style_of(const HtmlToken& tag) {
  const std::string_view style = tag.attribute("style").value_or("");
  const bool has_references = style.find('&') != std::string_view::npos;
  return has_references ? read_style(decoded(style)) : read_style(style);
}

// A picture that is loaded late has another one in its place.
std::string address_of(const HtmlToken& tag) {
  std::vector<std::string> written;
  const auto note = [&](std::string_view name) {
    written.push_back(address_in(name, tag.attribute(name).value_or("")));
  };
  for (const std::string_view name : {"data-src", "data-original"}) note(name);
  for (const HtmlAttribute& attribute : tag.attributes) {
    std::string address = address_in(attribute.name, attribute.value);
    if (is_late_address(attribute.name, address)) written.push_back(std::move(address));
  }
  for (const std::string_view name : {"src", "data", "srcset"}) note(name);
  std::string first;
  for (const std::string& address : written) {
    if (figure_at(address).kind != Figure::Kind::unnamed) return address;
    if (first.empty()) first = address;
  }
  return first;
}

std::string background_of(const HtmlToken& tag) {
  constexpr std::string_view opening = "url(";
  const std::string_view style = tag.attribute("style").value_or("");
  const std::string_view of_table = tag.attribute("background").value_or("");
  std::string address(of_table.find('.') == std::string_view::npos ? "" : of_table);  // or it is a colour
  if (in_lower_case(style).find(opening) == std::string_view::npos) return address;
  const std::string decoded_style = decoded(style);
  for (std::string_view rest = decoded_style; !rest.empty();) {
    const std::string_view declaration = rest.substr(0, end_of_declaration(rest));
    rest.remove_prefix(std::min(declaration.size() + 1, rest.size()));
    std::string property = in_lower_case(declaration.substr(0, declaration.find(':')));
    std::erase_if(property, is_white_space);
    if (property != "background" && property != "background-image") continue;
    const std::size_t begin = in_lower_case(declaration).find(opening);
    const std::size_t end = declaration.find(')', begin);
    address = end < declaration.size()
                  ? declaration.substr(begin + opening.size(), end - begin - opening.size())
                  : std::string_view();
  }
  std::erase_if(address, [](char c) { return c == '"' || c == '\'' || is_white_space(c); });
  return address;
}

std::optional<std::string_view> filled_in(const HtmlToken& tag) {
  const bool is_input = in_lower_case(tag.text) == "input";  // <bk type="underline"> is always a blank
  constexpr std::array<std::string_view, 9> others = {"button", "submit", "reset", "hidden", "checkbox",
                                                      "radio",  "file",   "color", "range"};
  const std::string type = in_lower_case(tag.attribute("type").value_or(""));
  if (is_input && std::ranges::count(others, type) > 0) return std::nullopt;
  return tag.attribute("value").value_or("");
}

std::string unwritten_in(const HtmlToken& tag) {
  struct Rule {
    ElementKind kind;
    std::string_view name;
    std::string_view usual;  // values; empty where all of them say the same
  };
  constexpr std::array<Rule, 10> rules = {{{ElementKind::cell, "rowspan", "1"},
                                           {ElementKind::cell, "colspan", "1"},
                                           {ElementKind::cell, "columnspan", "1"},
                                           {ElementKind::item, "value", "1"},
                                           {ElementKind::block, "start", "1"},
                                           {ElementKind::block, "type", "1 disc"},
                                           {ElementKind::block, "reversed", ""},
                                           {ElementKind::block, "selected", ""},
                                           {ElementKind::field, "checked", ""},
                                           {ElementKind::inline_text, "dir", "ltr auto"}}};
  std::string unwritten;
  for (const auto& [kind, name, usual] : rules) {
    const auto value = kind == tag.element.kind ? tag.attribute(name) : std::nullopt;
    if (!value) continue;
    std::string said(*value);
    if (said.size() > 1) said = in_lower_case(said);  // lists count with `a` or with `A`
    if (usual.empty()) said.clear();
    if (usual.empty() || !has_class(usual, said)) unwritten.append(name).append(said);
  }
  return unwritten;
}

bool may_hold_formula(const HtmlToken& tag) {
  static constexpr ByteSet first_letters("dDlLmMvVeE");
  return std::ranges::any_of(tag.attributes, [](const HtmlAttribute& attribute) {
    return attribute.name.size() >= std::string_view("math").size() && first_letters.has(attribute.name[0]);
  });
}

bool looks_like_formula(std::string_view value) {
  return value.find_first_of("\\^_={<&") != std::string_view::npos ||
         value.find("«") != std::string_view::npos;
}

bool may_hold_scripts(std::string_view page) {
  const std::size_t begin = page.find("math/");
  if (begin == std::string_view::npos) return false;
  return std::ranges::any_of(script_types,
                             [&](auto type) { return page.find(type, begin) != std::string_view::npos; });
}

bool is_hidden(const HtmlToken& tag, std::string_view classes, const Style& style) {
  if (style.hidden() || tag.element.kind == ElementKind::skipped || tag.attribute("hidden")) return true;
  const bool is_image = tag.element.kind == ElementKind::image;
  if (!is_image && tag.attribute("aria-hidden").value_or("") == "true") return true;
  return has_class(classes, "MathJax_Preview");
}

bool is_to_fill_in(const HtmlToken& tag, std::string_view classes, bool is_inline) {
  const std::string name = in_lower_case(tag.text);
  if (name == "textarea" || name == "select") return true;
  if (in_lower_case(tag.attribute("contenteditable").value_or("")) == "true") return true;
  if (classes.empty()) return false;
  const std::string named = in_lower_case(classes);
  if (has_class(named, "quizputtag")) return true;
  return is_inline && (has_class_word(classes, "blank") || has_class(named, "qml-bk"));
}

bool is_of_mathquill(std::string_view classes) {
  return has_class(classes, "mathquill-rendered-math") || has_class(classes, "mq-math-mode");
}

void set_as_script(std::string_view classes, Style& style) {
  const auto has_either = [classes](std::string_view name, std::string_view long_name) {
    return has_class(classes, name) || has_class(classes, long_name);
  };
  style.raised |= style.small_at_top || has_either("sup", "superscript");
  style.lowered |= has_either("sub", "subscript");
}

bool stands_out(const HtmlToken& tag, const Style& style) {
  constexpr std::array<std::string_view, 4> names = {"b", "strong", "i", "em"};
  return style.stands_out() || std::ranges::count(names, in_lower_case(tag.text)) > 0 ||
         is_red(tag.attribute("color").value_or(""));
}

bool draws_formula(const HtmlToken& tag, std::string_view classes) {
  return in_lower_case(tag.text) == "nobr" || has_class(classes, "katex-html") ||
         has_class(classes, "math") || has_class(classes, "mjx-math");
}

// Letters, and the signs that the font Symbol shows otherwise, become its characters for private use.
void shift_symbols(std::string& text, std::size_t begin) {
  constexpr char32_t latin_end = 0x100;
  constexpr std::u32string_view signs = U"\"$'@\\^";
  std::u32string shown = refine::to_utf32(std::string_view(text).substr(begin));
  for (char32_t& c : shown) {
    const bool is_upper_half = c > 0xA0 && c < latin_end;
    if (is_letter(c) || is_upper_half || signs.find(c) != std::u32string_view::npos) c += symbol_font_begin;
  }
  text.replace(begin, std::string::npos, refine::to_utf8(shown));
}

void keep_indentation(std::string& text, std::size_t begin) {
  std::string kept;
  char before = begin > 0 ? text[begin - 1] : '\n';
  for (const char c : text.substr(begin)) {
    const bool is_indentation = before == '\n' && (c == ' ' || c == '\t');
    if (!is_indentation) before = c;
    kept += is_indentation ? "\u00A0" : std::string(1, c);
  }
  text.replace(begin, std::string::npos, kept);
}

bool is_of_mathjax(std::string_view classes) {
  constexpr std::array<std::string_view, 6> rendered = {"MathJax",       "MathJax_Display",     "MathJax_SVG",
                                                        "MathJax_CHTML", "MathJax_SVG_Display", "mjx-chtml"};
  return std::ranges::any_of(rendered, [classes](auto name) { return has_class(classes, name); });
}

std::string_view drawn_by_class(std::string_view classes) {
  const auto has = [classes](std::string_view word) { return classes.find(word) != std::string_view::npos; };
  if (has("underpoint") || has("under-point")) return drawn::dots;
  if (has("underwave") || has("under-wave") || has("wavy")) return drawn::wave;
  return has("underline") || has("under-line") ? drawn::line_below : std::string_view();
}

void append_value(std::string& text, std::string_view value) {
  const std::size_t begin = text.size();
  append_decoded(text, value, true);
  mark::remove_controls(text, begin);
}

}  // namespace qdedup::markup
