#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

// Questions that their text does not tell apart: what would is not in it.
namespace qdedup::refine {

class RiskModel;
class TextForms;

// The symbols that stand for a figure in a text (markup/), each but the last before a hash of its name.
inline constexpr std::string_view known_figure = "🖼";    // by what it shows
inline constexpr std::string_view named_figure = "🖻";    // by the name of a file
inline constexpr std::string_view unnamed_figure = "🖾";  // any figure; with a hash, a formula nobody knows

// Behind a text that is taken as it is (markup/compared), some of these tell what its figures show, one alone
// that nobody knows. None is assigned; the duplicate test drops them, and nothing is drawn for them.
inline constexpr char32_t first_image_mark = 0xE0800;
inline constexpr unsigned image_mark_bits = 11;
constexpr bool is_image_mark(char32_t c) {
  return c >> image_mark_bits == first_image_mark >> image_mark_bits;
}

struct ContrastSettings {
  // Below how many Han characters and signs a text is doubtful whatever the other is; 0: none is.
  std::size_t figure_text = 60;  // that points at something that is not in it
  std::size_t short_text = 8;    // any text

  // What estimates the risk; null: RiskModel::shipped().
  std::shared_ptr<const RiskModel> model{};
};

struct MissingParts {
  bool needs_figure = false;  // one of the two points at something that is not in it: a figure on either side
                              // that is not the same known one, a figure or a passage that it names
  bool too_short = false;     // one of the two is too little to be a question, or nothing but an instruction
};

// Linear in the texts.
MissingParts missing_parts(const TextForms& a, const TextForms& b, const ContrastSettings& settings);

}  // namespace qdedup::refine
