#include "refine/subjects.h"

#include <algorithm>

#include "refine/rule_words.h"
#include "refine/searched_text.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// What stands behind one of the words that the text begins with, of which the longest comes first; all of it
// if it begins with none.
template <class Words>
std::u32string_view behind_any(std::u32string_view text, const Words& words) {
  for (const std::u32string_view word : words) {
    if (text.starts_with(word)) return text.substr(word.size());
  }
  return text;
}

// 词, 的词 and " word"
bool begins_with_thing(std::u32string_view text) {
  if (!text.empty() && is_one_of(text.front(), U"的 ")) text.remove_prefix(1);
  return behind_any(text, rule_words::marked_things).size() < text.size();
}

// Does a thing follow one of these words? 红色的词, bold word
template <class Words>
bool names_thing(const SearchedText& text, const Words& words) {
  return text.any_place(words, [](auto, std::u32string_view behind) { return begins_with_thing(behind); });
}

// 分号使用, 分号的作用, 正确使用分号 and 括号里的词, but not 用分号隔开 or 括号里填
bool names_punctuation(const SearchedText& text) {
  return text.any_place(rule_words::punctuation_names, [](auto before, std::u32string_view behind) {
    const std::u32string_view place = behind_any(behind, rule_words::places_at_punctuation);
    if (place.size() < behind.size() && begins_with_thing(place)) return true;
    if (behind.starts_with(rule_words::possessive)) behind.remove_prefix(1);
    return behind_any(behind, rule_words::punctuation_uses).size() < behind.size() ||
           std::ranges::any_of(rule_words::punctuation_uses,
                               [before](auto use) { return before.ends_with(use); });
  });
}

}  // namespace

bool names_marked_words(const SearchedText& text) {
  return text.has_any(rule_words::marked_words) || names_thing(text, rule_words::marks_of_words) ||
         names_thing(text, rule_words::type_words) || names_thing(text, rule_words::colours_of_words);
}

void Subjects::add(std::u32string_view text) {
  const SearchedText searched(text);
  pauses |= searched.has_any(rule_words::pause_words);
  punctuation |= pauses || searched.has_any(rule_words::punctuation_words) || names_punctuation(searched);
  type |= searched.has_any(rule_words::type_words) || names_thing(searched, rule_words::colours_of_words);
  emphasis |= type || searched.has_any(rule_words::emphasis_words);
  wording |= searched.has_any(rule_words::wording_words);
  code |= searched.has_any(rule_words::code_words);
  indentation |= searched.has_any(rule_words::languages_with_indentation);
}

}  // namespace qdedup::refine
