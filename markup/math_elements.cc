#include "markup/math_elements.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "markup/html_attributes.h"
#include "markup/marks.h"
#include "markup/style.h"
#include "markup/tables.h"

namespace qdedup::markup {
namespace {

bool is_child_of_formula(ElementKind parent) {
  return (parent >= ElementKind::fraction && parent <= ElementKind::multiscripts) ||
         parent > ElementKind::properties;
}

std::string_view default_character(std::string_view name) {
  if (name == "m:nary") return "∫";
  if (name == "m:acc") return "\u0302";
  if (name == "m:bar") return drawn::line_below;
  return name == "m:groupchr" ? "⏟" : "";
}

// class="mjx-c32" is a 2.
void put_glyph(std::string& text, std::string_view classes) {
  constexpr std::string_view prefix = "mjx-c";
  const std::size_t at = classes.find(prefix);
  if (at == std::string_view::npos) return;
  const std::string_view name = classes.substr(at + prefix.size());
  append_value(text, "&#x" + std::string(name.substr(0, name.find(' '))) + ";");
}

// A character, or a reference to one, at the beginning of the value of an attribute.
std::string_view first_character(std::string_view value) {
  constexpr std::size_t longest = 32;
  constexpr std::size_t longest_character = 4;
  if (value.starts_with('&'))
    return value.substr(0, std::max<std::size_t>(value.substr(0, longest).find(';') + 1, 1));
  std::size_t end = 1;
  while (end < std::min(value.size(), longest_character) && continues_character(value[end])) ++end;
  return value.substr(0, end);
}

}  // namespace

void MathElements::begin_child(std::string_view name, ElementKind kind, Element& parent) {
  if (!is_child_of_formula(parent.kind) || kind == ElementKind::properties) return;
  properties_.fraction = 0;
  if (parent.kind == ElementKind::multiscripts && local_name(name) == "mprescripts") {
    close_script(parent);
    parent.prescripts = text_.size();
    parent.children = 1;
    return;
  }
  const std::uint32_t child = parent.children++;
  switch (parent.kind) {
    case ElementKind::fraction:
    case ElementKind::over:
    case ElementKind::nth_root:
      if (child == 1) text_ += mark::next;
      break;
    case ElementKind::fenced:
      if (child > 0) put_separator(parent.separators);
      break;
    case ElementKind::script_up:
      if (child == 1) begin_script(parent, mark::raise);
      break;
    case ElementKind::script_down:
    case ElementKind::script_both:
    case ElementKind::under:
    case ElementKind::multiscripts:
      if (child > 0) begin_script(parent, child % 2 == 1 ? mark::lower : mark::raise);
      break;
    case ElementKind::prescripts:
      if (child == 0) append_value(text_, properties_.character);
      if (child < 2) begin_script(parent, child == 0 ? mark::lower : mark::raise);
      if (child == 2) text_ += mark::close;
      if (child == 2) parent.closes = 0;
      break;
    case ElementKind::radical:
      begin_child_of_root(name, parent, child);
      break;
    case ElementKind::accented:
      if (child == 0) parent.ending = properties_.character;
      break;
    case ElementKind::delimited:
      if (child > 0) {
        put_separator(parent.separators);
        break;
      }
      append_value(text_, properties_.begin);
      parent.ending = properties_.end;
      parent.separators = properties_.separator;
      break;
    case ElementKind::lines:
      if (child > 0) text_.append(parent.separators).append(1, mark::line_break);
      break;
    default:
      break;
  }
}

// The degree, if it is there and not hidden, stands before what the root is of.
void MathElements::begin_child_of_root(std::string_view name, Element& parent, std::uint32_t child) {
  if (child == 0) append_value(text_, "√");
  if (name != "m:deg") {
    append_value(text_, std::exchange(parent.ending, {}));
    if (parent.closes == 0) parent.open(text_, mark::group);
  } else if (!properties_.hides_degree) {
    text_ += '[';
    parent.ending = "]";
  }
}

void MathElements::begin_script(Element& parent, char kind) {
  close_script(parent);
  parent.open(text_, kind);
}

void MathElements::close_script(Element& parent) {
  if (parent.closes > 0) text_ += mark::close;
  parent.closes = 0;
}

// Writes the first one, and drops it unless it is the last, which stands in all places that are left.
void MathElements::put_separator(std::string_view& separators) {
  const std::string_view first = first_character(separators);
  append_value(text_, first);
  const std::string_view rest = trimmed(separators.substr(first.size()));
  separators = rest.empty() ? first : rest;
}

void MathElements::begin(const HtmlToken& tag, Element& element) {
  switch (element.kind) {
    case ElementKind::enclosed:
      return begin_enclosed(tag.attribute("notation").value_or(""), element);
    case ElementKind::fraction:
      element.open(text_, is_zero_length(tag.attribute("linethickness").value_or("")) ? mark::binomial
                                                                                      : mark::fraction);
      properties_ = {.fraction = text_.size()};
      return;
    case ElementKind::over:
      return element.open(text_, mark::over);
    case ElementKind::root:
      return element.open(text_, mark::root);
    case ElementKind::nth_root:
      return element.open(text_, mark::nth_root);
    case ElementKind::fenced:
      append_value(text_, tag.attribute("open").value_or("("));
      element.ending = tag.attribute("close").value_or(")");
      element.separators = trimmed(tag.attribute("separators").value_or(","));
      return;
    default:
      return;
  }
}

void MathElements::begin_of_word(const HtmlToken& tag, std::string_view name, Element& element) {
  if (element.kind == ElementKind::glyph) return put_glyph(text_, tag.attribute("class").value_or(""));
  if (element.kind == ElementKind::properties) return read_property(name, tag.attribute("m:val"));
  properties_ = {.character = default_character(name)};
  if (element.kind == ElementKind::accented) element.open(text_, mark::over);
  if (name == "m:m") element.separators = mark::row_border;
  if (name == "m:mr") element.separators = mark::cell_border;
}

void MathElements::read_property(std::string_view name, std::optional<std::string_view> value) {
  const std::string_view written = value.value_or("");
  if (name == "m:begchr") properties_.begin = written;
  if (name == "m:endchr") properties_.end = written;
  if (name == "m:sepchr") properties_.separator = written;
  if (name == "m:chr") properties_.character = written;
  if (name == "m:deghide")
    properties_.hides_degree = written != "0" && written != "off" && written != "false";
  if (name == "m:pos" && written == "top" && properties_.character == drawn::line_below) {
    properties_.character = drawn::line_above;
  }
  if (name == "m:type" && in_lower_case(written) == "nobar" && properties_.fraction > 0) {
    text_[properties_.fraction - 1] = mark::binomial;
  }
}

void MathElements::begin_enclosed(std::string_view notation, Element& element) {
  const auto has = [notation](std::string_view word) {
    return notation.find(word) != std::string_view::npos;
  };
  if (has("radical")) return element.open(text_, mark::root);
  if (has("top") && !has("left") && !has("bottom") && !has("box")) {
    element.has_line_above = true;
    return element.open(text_, mark::over);
  }
  element.drawn = drawn::line_above;
  if (has("strike")) element.drawn = drawn::line_through;
  if (has("box")) element.drawn = drawn::box;
  if (has("circle")) element.drawn = drawn::circle;
  if (has("bottom")) element.drawn = drawn::line_below;
}

void MathElements::end(Element& element) {
  constexpr std::size_t longest = 256;  // what has prescripts is short
  if (element.begin < element.prescripts && element.prescripts <= text_.size() &&
      text_.size() - element.begin <= longest) {
    close_script(element);
    const auto at = [this](std::size_t offset) {
      return text_.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    std::rotate(at(element.begin), at(element.prescripts), text_.end());
  }
  const bool has_next = element.kind == ElementKind::fraction || element.kind == ElementKind::over ||
                        element.kind == ElementKind::nth_root;
  if (has_next && element.children < 2) text_ += mark::next;
  properties_.fraction = 0;
}

}  // namespace qdedup::markup
