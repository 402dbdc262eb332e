#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markup/figures.h"
#include "refine/pair_marks.h"

namespace qdedup::markup {

// A step in drawing a text: something to show, or the begin or the end of an element around what follows.
struct Piece {
  enum class Kind : std::uint8_t {
    end,  // of the innermost element
    text,
    figure,
    mn,  // from here on by the names of HTML and MathML
    mi,
    mo,
    mtext,
    math,
    mrow,
    mfrac,
    msup,
    msub,
    msubsup,
    msqrt,
    mroot,
    mover,
    mtable,
    mtr,
    mtd,
    sup,
    sub,
    table,
    tr,
    td,
  };

  Kind kind = Kind::end;
  std::size_t begin = 0;  // code points of Display::text: what it shows, or of an element the signs that it
  std::size_t end = 0;    // stands for
  std::size_t figure = 0;

  // Does it show something by itself? Any other kind but `end` begins an element.
  [[nodiscard]] bool is_shown() const { return kind >= Kind::text && kind <= Kind::mo; }
};

// The name of the element; "text", "figure", and empty for the end.
std::string_view name(Piece::Kind kind);

// A text for people to look at.
struct Display {
  std::u32string text;
  std::u32string compared;  // the same in the signs of an extracted text
  std::vector<Piece> pieces;
  std::vector<Figure> figures;

  // Is there anything that the extracted text does not show as well?
  [[nodiscard]] bool has_structure() const;
};

// Draws a text with markup, UTF-8, with formulas, tables, and figures where they stand; nothing where what is
// read is more than max_drawn_bytes. No piece is what the text says it is: names of elements are those above.
// Elements are nested max_drawn_depth deep, about; what is deeper is shown as an extracted text shows it.
// Linear, but for sorting.
Display draw(std::string_view original, std::span<const std::string> images = {});

inline constexpr std::size_t max_drawn_bytes = 65'536;
inline constexpr std::size_t max_drawn_depth = 24;

// For each code point of the text that was extracted from the same original its place in the display, or
// npos. Time as refine::align().
std::vector<std::size_t> places_in(const Display& display, std::string_view extracted);

// Marks of the extracted text as marks of the display.
std::vector<refine::Mark> marks_on(const Display& display, const std::vector<std::size_t>& places,
                                   const std::vector<refine::Mark>& marks);

}  // namespace qdedup::markup
