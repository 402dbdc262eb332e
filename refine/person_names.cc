#include "refine/person_names.h"

#include "refine/rule_words.h"

namespace qdedup::refine {

std::size_t PersonNames::title_length(std::u32string_view text) const {
  constexpr std::size_t length = 2;
  return text.size() >= length && titles_.contains(std::u32string(text.substr(0, length))) ? length : 0;
}

// What follows a surname in a name: a title, 小 with a given name, or a given name of one or two characters.
std::size_t PersonNames::after_surname(std::u32string_view text) const {
  if (const std::size_t title = title_length(text); title > 0) return title;
  if (text.size() < 2) return text.size() == 1 && is_given(text[0]) ? 1 : 0;
  if (text[0] == rule_words::little) return is_given(text[1]) ? 2 : 0;
  if (!is_given(text[0])) return 0;
  return is_given(text[1]) ? 2 : 1;
}

std::size_t PersonNames::length_at_start(std::u32string_view text) const {
  if (text.size() < 2) return 0;
  if (text[0] == rule_words::little || text[0] == rule_words::dear || text[0] == rule_words::old) {
    return (text[0] != rule_words::old && is_given(text[1])) || is_surname(text[1]) ? 2 : 0;
  }
  if (text[0] == text[1] && is_given(text[0])) return 2;
  if (!is_surname(text[0])) return 0;
  const std::size_t rest = after_surname(text.substr(1));
  return rest > 0 ? rest + 1 : 0;
}

}  // namespace qdedup::refine
