#include "refine/searched_text.h"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "refine/rule_words.h"

namespace qdedup::refine {
namespace {

using Places = std::vector<std::pair<std::size_t, std::size_t>>;  // sizes of the texts before and after

// Of each word, wherever it stands.
template <std::size_t Size>
Places places_of(const SearchedWords<Size>& words, std::u32string_view text) {
  Places places;
  for (const std::u32string_view word : words) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text.substr(at).starts_with(word)) places.emplace_back(at, text.size() - at - word.size());
    }
  }
  return places;
}

template <std::size_t Size>
void expect_found(const SearchedWords<Size>& words, std::u32string_view text) {
  const SearchedText searched(text);
  Places found;
  EXPECT_FALSE(searched.any_place(words, [&found](std::u32string_view before, std::u32string_view behind) {
    found.emplace_back(before.size(), behind.size());
    return false;
  }));
  EXPECT_EQ(found, places_of(words, text));
  EXPECT_EQ(searched.has_any(words), !found.empty());
}

// A list's words, and pieces of them, which may make up others.
std::u32string text_of_words(std::mt19937_64& random) {
  std::u32string text;
  for (std::size_t pieces = random() % 6; pieces > 0; --pieces) {
    const auto& words = rule_words::searched_lists[random() % rule_words::searched_lists.size()];
    const std::u32string_view word = words[random() % words.size()];
    text += random() % 2 == 0 ? word : word.substr(0, 1 + random() % word.size());
    if (random() % 4 == 0) text += U"的\U00010000a"[random() % 3];
  }
  return text;
}

TEST(SearchedTextTwin, FindsEachWordWhereItStands) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const std::u32string text = text_of_words(random);
    expect_found(rule_words::figure_pointers, text);
    expect_found(rule_words::no_pointers, text);
    expect_found(rule_words::clause_openings, text);
    expect_found(rule_words::passage_references, text);
    expect_found(rule_words::code_words, text);
  }
}

TEST(SearchedText, IsGivenBackWithoutWords) {
  EXPECT_EQ(SearchedText(U"如图，图书").without(rule_words::no_pointers),
            (std::u32string{U'如', U'图', U'，', U'\0'}));
  EXPECT_EQ(SearchedText(U"").without(rule_words::no_pointers), U"");
}

}  // namespace
}  // namespace qdedup::refine
