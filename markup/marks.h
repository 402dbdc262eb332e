#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

// The text between the two readers: UTF-8 in which control characters mark the structure that tags gave. No
// text has them otherwise, as is_control() keeps them out.
namespace qdedup::markup::mark {

inline constexpr char erased = '\x01';  // nothing; kept for a bracket that was not needed
inline constexpr char raise = '\x02';   // each of these begins something that `close` ends
inline constexpr char lower = '\x03';
inline constexpr char fraction = '\x04';  // numerator, `next`, denominator
inline constexpr char root = '\x05';
inline constexpr char nth_root = '\x06';  // what the root is of, `next`, its degree
inline constexpr char group = '\x07';     // bracketed unless it is one character or one number
inline constexpr char over = '\x0E';      // a base, `next`, and what stands over it
inline constexpr char formula = '\x0F';   // LaTeX without dollars
inline constexpr char figure = '\x10';    // a figure: its number in decimal, and `close`
inline constexpr char next = '\x11';
inline constexpr char close = '\x12';

inline constexpr char binomial = '\x16';  // as a fraction

// These too end with `close`; they are there only in what is read for people to look at.
inline constexpr char table = '\x13';
inline constexpr char row = '\x14';
inline constexpr char cell = '\x15';

// U+2063 before a cell or row that is not the first one, and U+2064 before such a row of a matrix. They stay
// in the text, where refine/dropped_notation looks for them.
inline constexpr std::string_view cell_border = "\u2063";
inline constexpr std::string_view row_border = "\u2064";

// Before what a combining character behind it is drawn on, if that is more than one character. It stays, too.
inline constexpr std::string_view drawn_begin = "\u206A";

// What is to be filled in: an empty cell, field or underline.
inline constexpr std::string_view blank = "____";

// White space that is not the text's own, where it is read by no one but the next reader.
inline constexpr char line_break = '\n';
inline constexpr char gap = ' ';

// Is the byte a control character, so that it could be taken for a mark?
inline constexpr bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 && byte != '\n' && byte != '\t' && byte != '\r';
}

// The command that a text begins with, if another language took its backslash and first letter for an escape:
// a form feed before "rac" is "frac". Empty for none.
std::string lost_command(std::string_view text);

// Control characters from `begin` on become white space, or the command that they were; what could be taken
// for the place of a figure vanishes.
void remove_controls(std::string& text, std::size_t begin);

}  // namespace qdedup::markup::mark
