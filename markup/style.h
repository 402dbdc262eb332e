#pragma once

#include <string_view>

namespace qdedup::markup {

// What is drawn over, through or under a text, as the combining character that follows it in the extracted
// text, and for lines below that are not plain a second one. None composes with a letter.
namespace drawn {
inline constexpr std::string_view line_above = "\u0305";
inline constexpr std::string_view line_through = "\u0336";
inline constexpr std::string_view line_below = "\u0332";
inline constexpr std::string_view wave = "\u0332\u033C";
inline constexpr std::string_view dashes = "\u0332\u0320";
inline constexpr std::string_view two_lines = "\u0332\u0333";
inline constexpr std::string_view dots = "\u20E8";
inline constexpr std::string_view type =
    "\u0347";  // bold, italic or red: only where the question asks about it
inline constexpr std::string_view box = "\u20DE";
inline constexpr std::string_view circle = "\u20DD";

// What is read where nothing stands but this: a blank for a line below, the sign of an empty box, or nothing.
std::string_view on_nothing(std::string_view drawn);
}  // namespace drawn

// What an inline style says that matters to a reader.
struct Style {
  bool no_box = false;       // display:none
  bool invisible = false;    // visibility:hidden
  bool transparent = false;  // opacity:0
  bool zero_size = false;    // font-size:0
  bool colorless = false;    // color:transparent
  bool has_color = false;    // any other
  bool bold = false;
  bool italic = false;
  bool red = false;
  bool has_size = false;  // one of its own, wherever it stands
  bool raised = false;    // vertical-align:super, or by a distance
  bool lowered = false;
  bool small_at_top = false;     // of its line, or moved up there, as exponents are
  bool is_block = false;         // display: block, table, flex …
  bool is_inline_block = false;  // display: inline-block …
  bool is_absolute = false;      // position: absolute
  bool symbol_font = false;
  bool keeps_space = false;  // white-space: pre …
  bool line_above = false;   // a border that is no box
  bool line_below = false;
  bool box = false;                            // a border on all sides
  std::string_view drawn;                      // text-decoration, text-emphasis
  std::string_view below = drawn::line_below;  // what a line below looks like

  [[nodiscard]] bool hidden() const { return no_box || invisible || transparent; }
  [[nodiscard]] bool stands_out() const { return bold || italic || red; }
};

// Reads the value of a style attribute. Linear.
Style read_style(std::string_view declarations);

// "0", "0px", "0.0em", "0%"
bool is_zero_length(std::string_view value);

bool is_red(std::string_view color);

// Is Symbol the first of these font families? It shows other characters than those that are written.
bool is_symbol_font(std::string_view families);

// Is the word, in lower case, a part of one of the classes: that of fill-blank, of mathImg?
bool has_class_word(std::string_view classes, std::string_view word);

// Is `name` among the classes of a class attribute? It is compared as it is.
bool has_class(std::string_view classes, std::string_view name);

}  // namespace qdedup::markup
