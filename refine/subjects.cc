#include "refine/subjects.h"

#include <algorithm>

#include "refine/rule_words.h"

namespace qdedup::refine {
namespace {

// 分号使用, 分号的作用 and 正确使用分号, but not 用分号隔开 or 括号里填
bool names_punctuation(std::u32string_view text, std::u32string_view name) {
  const auto begins = [](std::u32string_view behind) {
    return std::ranges::any_of(rule_words::punctuation_uses,
                               [behind](std::u32string_view use) { return behind.starts_with(use); });
  };
  const auto ends = [](std::u32string_view before) {
    return std::ranges::any_of(rule_words::punctuation_uses,
                               [before](std::u32string_view use) { return before.ends_with(use); });
  };
  for (std::size_t at = text.find(name); at < text.size(); at = text.find(name, at + name.size())) {
    std::u32string_view behind = text.substr(at + name.size());
    if (behind.starts_with(rule_words::possessive)) behind.remove_prefix(1);
    if (begins(behind) || ends(text.substr(0, at))) return true;
  }
  return false;
}

}  // namespace

void Subjects::add(std::u32string_view text) {
  const auto has = [text](std::u32string_view word) { return text.find(word) != std::u32string_view::npos; };
  punctuation |= std::ranges::any_of(rule_words::punctuation_words, has) ||
                 std::ranges::any_of(rule_words::punctuation_names, [text](std::u32string_view name) {
                   return names_punctuation(text, name);
                 });
  emphasis |= std::ranges::any_of(rule_words::emphasis_words, has);
  wording |= std::ranges::any_of(rule_words::wording_words, has);
  code |= std::ranges::any_of(rule_words::code_words, has);
}

}  // namespace qdedup::refine
