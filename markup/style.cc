#include "markup/style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/html_tokenizer.h"
#include "markup/marks.h"

namespace qdedup::markup {
namespace {

constexpr std::string_view blanks = " \n\t\r\f";
constexpr ByteSet blank_bytes(blanks);

// Of the properties that matter.
constexpr ByteSet first_letters("cCdDvVoOfFbBtTmMpPwW-");

// -1 for "-5.0pt", 1 for "5pt", 0 for "0" and for anything that is not a length.
int sign_of_length(std::string_view value) {
  const bool is_negative = value.starts_with('-');
  if (is_negative || value.starts_with('+')) value.remove_prefix(1);
  const std::string_view number = value.substr(0, value.find_first_not_of("0123456789."));
  if (number.find_first_of("123456789") == std::string_view::npos) return 0;
  return is_negative ? -1 : 1;
}

// Padding, margins and widths are frequent and do not matter.
bool may_matter(std::string_view declaration) {
  if (!first_letters.has(declaration[0])) return false;
  constexpr ByteSet frequent("mMpPwW");
  return !frequent.has(declaration[0]) ||
         (declaration.size() > 1 &&
          std::string_view("sSoOhH").find(declaration[1]) != std::string_view::npos);
}

// That of a browser, before the name of a property; names of a page's own begin with two hyphens.
std::size_t length_of_prefix(std::string_view property) {
  constexpr std::array<std::string_view, 5> prefixes = {"-webkit-", "-moz-", "-ms-", "-o-", "-epub-"};
  return prefix_in(prefixes, property).size();
}

// Where a box is moved to.
struct Move {
  bool is_relative = false;
  bool is_absolute = false;
  int up = 0;
  bool is_at_top = false;  // of its line, where what is smaller is raised
  bool is_small = false;
};

// "60%", "0.7em", "8pt", "small": smaller than what most texts have.
bool is_small_size(std::string_view value) {
  constexpr std::array<std::pair<std::string_view, double>, 5> usual = {
      {{"%", 100}, {"em", 1}, {"rem", 1}, {"px", 12}, {"pt", 9}}};
  double size = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
  if (error != std::errc()) return value.find("small") != std::string_view::npos;
  const std::string_view unit = value.substr(static_cast<std::size_t>(end - value.data()));
  const auto* const found = std::ranges::find(usual, unit, &decltype(usual)::value_type::first);
  return found != usual.end() && size < found->second;
}

// Is it above zero, whatever size the text around has?
bool is_absolute_size(std::string_view value) {
  constexpr std::array<std::string_view, 10> absolute = {"px", "pt",  "pc",    "in",     "cm",
                                                         "mm", "rem", "small", "medium", "large"};
  if (is_zero_length(value)) return false;
  return std::ranges::any_of(absolute, [value](auto ending) { return value.ends_with(ending); });
}

bool is_bold(std::string_view weight) {
  constexpr unsigned least = 600;
  unsigned number = 0;
  std::from_chars(weight.data(), weight.data() + weight.size(), number);
  return number >= least || weight.starts_with("bold");
}

void apply_move(std::string_view property, std::string_view value, Move& move) {
  if (property == "position") move.is_relative = value.starts_with("relative");
  if (property == "position") move.is_absolute = value.starts_with("absolute");
  if (property == "top") move.up = -sign_of_length(value);
  if (property == "bottom") move.up = sign_of_length(value);
  if (property == "vertical-align")
    move.is_at_top = value.starts_with("top") || value.starts_with("text-top");
  if (property == "font-size") move.is_small = is_small_size(value);
}

void raise_by(int up, Style& style) {
  style.raised = up > 0;
  style.lowered = up < 0;
}

// The kind of line that a border or text-decoration names; empty for none of these words.
std::string_view line_in(std::string_view value) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kinds = {
      {{"solid", drawn::line_below},
       {"inset", drawn::line_below},
       {"outset", drawn::line_below},
       {"groove", drawn::line_below},
       {"ridge", drawn::line_below},
       {"wav", drawn::wave},
       {"dash", drawn::dashes},
       {"dot", drawn::dots},
       {"double", drawn::two_lines}}};
  const auto* const found = std::ranges::find_if(
      kinds, [value](const auto& kind) { return value.find(kind.first) != std::string_view::npos; });
  return found == kinds.end() ? std::string_view() : found->second;
}

void draw_below(std::string_view value, Style& style) {
  if (const std::string_view line = line_in(value); !line.empty()) style.below = line;
}

std::string_view drawn_by(std::string_view property, std::string_view value) {
  const auto has = [value](std::string_view word) { return value.find(word) != std::string_view::npos; };
  if (has("none")) return {};
  if (property.find("-emphasi") != std::string_view::npos) return drawn::dots;
  if (has("overline")) return drawn::line_above;
  if (has("line-through")) return drawn::line_through;
  return has("underline") ? drawn::line_below : std::string_view();
}

bool makes_block(std::string_view display) {
  constexpr std::array<std::string_view, 5> kinds = {"block", "table", "flex", "grid", "list-item"};
  return !prefix_in(kinds, display).empty();
}

struct BorderSide {
  std::string_view line;  // its kind; empty for none
  bool has_width = true;
  bool has_color = true;

  [[nodiscard]] bool is_drawn() const { return !line.empty() && has_width && has_color; }
};

// In the order in which CSS names them.
struct Border {
  enum : std::size_t { top, right, bottom, left };
  std::array<BorderSide, 4> sides;

  [[nodiscard]] bool has(std::size_t side) const { return sides.at(side).is_drawn(); }
  [[nodiscard]] bool is_box() const { return std::ranges::all_of(sides, &BorderSide::is_drawn); }
};

// Takes the first word from a value, with what it has in brackets.
std::string_view take_word(std::string_view& value) {
  std::size_t end = 0;
  for (int depth = 0; end < value.size() && (depth > 0 || !blank_bytes.has(value[end])); ++end)
    depth += value[end] == '(' ? 1 : value[end] == ')' ? -1 : 0;
  const std::string_view word = value.substr(0, end);
  value = trimmed(value.substr(end), blanks);
  return word;
}

// "transparent", "#0000", "rgba(0, 0, 0, 0)", "rgb(0 0 0 / 0%)"
bool is_transparent(std::string_view color) {
  if (color.starts_with('#'))
    return (color.size() == 5 && color.ends_with('0')) || (color.size() == 9 && color.ends_with("00"));
  const std::size_t alpha = color.find_last_of("/,");
  const bool has_alpha = alpha < color.size() && (color[alpha] == '/' || std::ranges::count(color, ',') == 3);
  return color == "transparent" || (has_alpha && is_zero_length(trimmed(color.substr(alpha + 1), blanks)));
}

void apply_part(std::string_view part, std::string_view word, BorderSide& side) {
  if (part == "-style") side.line = line_in(word);
  if (part == "-width") side.has_width = !is_zero_length(word);
  if (part == "-color") side.has_color = !is_transparent(word);
}

// "1px solid black", "none"
BorderSide border_side(std::string_view value) {
  BorderSide side{.line = line_in(value)};
  while (!value.empty()) {
    const std::string_view word = take_word(value);
    side.has_width &= !is_zero_length(word);
    side.has_color &= !is_transparent(word);
  }
  return side;
}

// `of` is what stands behind "border" in the property: sides, and which part of them.
void apply_border(std::string_view of, std::string_view value, Border& border) {
  constexpr std::array<std::string_view, 4> names = {"-top", "-right", "-bottom", "-left"};
  const auto* const named = std::ranges::find_if(names, [of](auto side) { return of.starts_with(side); });
  std::size_t first = 0;
  std::size_t end = names.size();
  if (named != names.end()) {
    first = static_cast<std::size_t>(named - names.begin());
    end = first + 1;
    of.remove_prefix(named->size());
  }
  std::array<std::string_view, 4> words;
  std::size_t count = 0;
  for (std::string_view rest = value; count < words.size() && !rest.empty(); ++count)
    words.at(count) = take_word(rest);
  for (std::size_t i = first; i < end; ++i) {
    const std::size_t opposite = i >= 2 && i - 2 < count ? i - 2 : 0;
    if (of.empty()) {
      border.sides.at(i) = border_side(value);
    } else {
      apply_part(of, words.at(i < count ? i : opposite), border.sides.at(i));
    }
  }
}

// Of several declarations of a property the last one counts.
void apply(std::string_view property, std::string_view value, Style& style) {
  if (property == "display") {
    style.no_box = value.starts_with("none");
    style.is_inline_block = value.starts_with("inline-");
    style.is_block = makes_block(value);
  } else if (property == "visibility") {
    style.invisible = value.starts_with("hidden") || value.starts_with("collapse");
  } else if (property == "opacity") {
    style.transparent = is_zero_length(value);
  } else if (property == "color") {
    style.colorless = is_transparent(value);
    style.red = is_red(value);
    style.has_color = !style.colorless && !value.starts_with("inherit");
  } else if (property == "font-size") {
    style.zero_size = is_zero_length(value);
    style.has_size = is_absolute_size(value);
  } else if (property == "font-family") {
    style.symbol_font = is_symbol_font(value);
  } else if (property == "white-space") {
    style.keeps_space = (value.starts_with("pre") && value != "pre-line") || value == "break-spaces";
  } else if (property == "font-weight") {
    style.bold = is_bold(value);
  } else if (property == "font-style") {
    style.italic = value.starts_with("italic") || value.starts_with("oblique");
  } else if (property == "vertical-align") {
    style.raised = value.starts_with("super");
    style.lowered = value.starts_with("sub");
    if (const int up = sign_of_length(value); up != 0) raise_by(up, style);
  } else if (property == "mso-text-raise") {
    if (const int up = sign_of_length(value); up != 0) raise_by(up, style);
  } else if (property == "text-decoration" || property == "text-decoration-line" ||
             property == "text-emphasis" || property == "text-emphasis-style" ||
             property == "font-emphasize") {
    style.drawn = drawn_by(property, value);
    if (style.drawn == drawn::line_below) draw_below(value, style);
  } else if (property == "text-decoration-style" || property == "text-underline") {
    draw_below(value, style);
  }
}

}  // namespace

std::string_view drawn::on_nothing(std::string_view drawn) {
  if (drawn == box) return "□";
  return drawn.starts_with(line_below) || drawn == dots ? mark::blank : std::string_view();
}

bool is_zero_length(std::string_view value) {
  const std::size_t end = std::min(value.find_first_not_of("0."), value.size());
  const std::string_view unit = value.substr(end);
  return end > 0 && std::ranges::none_of(unit, is_digit);
}

bool is_red(std::string_view color) {
  constexpr std::array<std::string_view, 5> reds = {"red", "#f00", "#ff0000", "rgb(255,0,0)",
                                                    "rgb(255, 0, 0)"};
  return std::ranges::count(reds, in_lower_case(color)) > 0;
}

bool is_symbol_font(std::string_view families) {
  return in_lower_case(trimmed(families.substr(0, families.find(',')), "\"' ")) == "symbol";
}

Style read_style(std::string_view declarations) {
  constexpr std::string_view border_property = "border";
  Style style;
  Move move;
  Border border;
  while (!declarations.empty()) {
    const std::string_view declaration = trimmed(take_until(declarations, ';'), blanks);
    const std::size_t colon = declaration.find(':');
    if (colon != std::string_view::npos && may_matter(declaration)) {
      std::string property = in_lower_case(trimmed(declaration.substr(0, colon), blanks));
      property.erase(0, length_of_prefix(property));
      std::string_view written = declaration.substr(colon + 1);
      const std::string value =
          in_lower_case(trimmed(take_until(written, '!'), blanks));  // without !important
      apply(property, value, style);
      apply_move(property, value, move);
      if (property.starts_with(border_property))
        apply_border(std::string_view(property).substr(border_property.size()), value, border);
    }
  }
  style.box = border.is_box();
  style.line_above = border.has(Border::top) && !(border.has(Border::left) && border.has(Border::right));
  style.line_below = border.has(Border::bottom) && !style.box;
  if (style.line_below) style.below = border.sides[Border::bottom].line;
  if (move.is_relative && move.up != 0) raise_by(move.up, style);
  if (style.drawn == drawn::line_below) style.drawn = style.below;
  style.is_absolute = move.is_absolute;
  style.small_at_top = (move.is_at_top && move.is_small) || (move.is_absolute && move.up > 0);
  return style;
}

bool has_class_word(std::string_view classes, std::string_view word) {
  const auto is_inner = [](char c) { return is_letter(c) || is_digit(c); };
  const auto parts = [&](std::size_t at) {
    if (at == 0 || at == classes.size() || !is_inner(classes[at - 1]) || !is_inner(classes[at])) return true;
    return is_small_letter(classes[at - 1]) && is_capital(classes[at]);
  };
  const std::string text = in_lower_case(classes);
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (parts(at) && parts(at + word.size())) return true;
  }
  return false;
}

bool has_class(std::string_view classes, std::string_view name) {
  for (std::size_t at = classes.find(name); at != std::string_view::npos; at = classes.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || blanks.find(classes[at - 1]) != std::string_view::npos;
    if (begins && (end == classes.size() || blanks.find(classes[end]) != std::string_view::npos)) return true;
  }
  return false;
}

}  // namespace qdedup::markup
