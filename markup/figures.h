#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace qdedup::markup {

// A picture of a question.
struct Figure {
  enum class Kind : std::uint8_t {
    content,  // known by a hash of what it shows
    file,     // known by the name of its file, which another picture may have as well
    unnamed,  // a mark such as [图], which may be any picture
  };

  Kind kind = Kind::unnamed;
  std::string name;
  bool in_place = false;  // a formula that only a picture shows, which is read where it stands
  bool is_vague = false;  // its name is one that a file of any document may have, and so have its folders
};

// The figure that an address shows: the stem of its file name, with its folder where many files have that
// name (image002). A stem that is a hash itself (16 hexadecimal digits or more), or a picture within the
// address that is not too short for that, is known by content; one that only holds a place (blank.gif) is
// unnamed. What is in a folder of formulas, and a metafile, is in place.
Figure figure_at(std::string_view address);

// The LaTeX in the query of an address that draws formulas; nothing for any other address.
std::optional<std::string> latex_of(std::string_view address);

bool is_mathml(std::string_view text);

// MathML without the signs that WIRIS writes for those of tags.
std::string of_wiris(std::string_view written);

// The MathML in the query of an address; nothing for any other address.
std::optional<std::string> mathml_of(std::string_view address);

// Is the picture a formula by its classes?
bool shows_formula(std::string_view classes);

// The figure as signs: a symbol for its kind, and a hash of its name in hexadecimal. A formula of which
// nothing tells what it is has the symbol of what is unnamed, and yet a hash.
std::string signs_of(const Figure& figure);

// What stands behind a text that is taken as it is and has figures with these hashes, of which an empty one
// says nothing (refine/missing_parts.h).
std::string image_marks(std::span<const std::string> images);

// What stands in place of a figure whose signs are behind the text (refine/placed_marks.h).
std::string place_of(const Figure& figure);

}  // namespace qdedup::markup
