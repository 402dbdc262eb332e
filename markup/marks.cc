#include "markup/marks.h"

#include "base/ascii.h"
#include "markup/tables.h"
#include "refine/placed_marks.h"
#include "refine/unicode.h"

namespace qdedup::markup::mark {
namespace {

// The letter of an escape of JSON and other languages.
constexpr char letter_of(char control) {
  constexpr std::string_view controls = "\a\b\t\n\v\f\r";
  constexpr std::string_view letters = "abtnvfr";
  const std::size_t found = controls.find(control);
  return found == std::string_view::npos ? '\0' : letters[found];
}

void remove_figure_places(std::string& text, std::size_t begin) {
  constexpr std::string_view begin_of_place = "\xF3\xA1";  // of all of them in UTF-8, and of nothing else
  if (text.find(begin_of_place, begin) == std::string::npos) return;
  std::u32string written = refine::to_utf32(std::string_view(text).substr(begin));
  std::erase_if(written, refine::is_figure_place);
  text.replace(begin, std::string::npos, refine::to_utf8(written));
}

}  // namespace

std::string lost_command(std::string_view text) {
  constexpr std::size_t shortest = 3;
  constexpr std::size_t longest = 24;
  const char letter = text.empty() ? '\0' : letter_of(text[0]);
  if (letter == '\0' || text.size() < shortest || !is_letter(text[1])) return {};
  std::string name(1, letter);
  while (name.size() < std::min(longest, text.size()) && is_letter(text[name.size()]))
    name += text[name.size()];
  const bool is_known = name.size() >= shortest && find_command(name).kind != CommandKind::unknown;
  return is_known ? name : std::string();
}

void remove_controls(std::string& text, std::size_t begin) {
  remove_figure_places(text, begin);
  const auto first = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_control);
  if (first == text.end()) return;
  const std::string written(first, text.end());
  text.erase(first, text.end());
  for (std::size_t at = 0; at < written.size(); ++at) {
    if (!is_control(written[at])) {
      text += written[at];
    } else if (lost_command(std::string_view(written).substr(at)).empty()) {
      text += ' ';
    } else {
      text += '\\';
      text += letter_of(written[at]);
    }
  }
}

}  // namespace qdedup::markup::mark
