#pragma once

#include <cstddef>
#include <string_view>

// Questions that their text does not tell apart: what would is not in it.
namespace qdedup::refine {

// The symbols that stand for a figure in a text (markup/), each before a hash of its name.
inline constexpr std::string_view known_figure = "🖼";    // by what it shows
inline constexpr std::string_view named_figure = "🖻";    // by the name of a file
inline constexpr std::string_view unnamed_figure = "🖾";  // any figure

// Does a text of the two with fewer than `figure_text` Han characters and signs point at something that is
// not in it: a figure on either side that is not the same known one, a figure or a passage that it names? 0
// for never. Linear.
bool needs_figure(std::string_view a, std::string_view b, std::size_t figure_text);

// Is one of the two too little to be a question: fewer than `fewest` Han characters and signs, or nothing but
// an instruction? Never with `fewest` 0. Linear.
bool is_too_short(std::string_view a, std::string_view b, std::size_t fewest);

}  // namespace qdedup::refine
