#include "tests/markup/variants.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

std::string han_of_markup(const std::string& text) {
  return refine::to_utf8(refine::parts_of(text_of(text)).han);
}

// Questions of which each has a twin that differs in one place.
std::vector<Question> questions(std::mt19937_64& random) {
  constexpr int pairs = 60;
  std::vector<Question> all;
  for (int i = 0; i < pairs; ++i) {
    all.push_back(made_question(random));
    all.push_back(changed(all.back(), random));
  }
  return all;
}

class Variants : public testing::TestWithParam<int> {};

TEST_P(Variants, FindTheirQuestionAndNoOther) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const std::vector<Question> all = questions(random);
  std::map<std::string, std::size_t> by_signs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [other, is_new] = by_signs.emplace(signs_of_markup(as_plain_text(all[i])), i);
    EXPECT_TRUE(is_new) << as_plain_text(all[i]) << "\n" << as_plain_text(all[other->second]);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string plain = as_plain_text(all[i]);
    for (const Writing& writing : writings_of(all[i], random)) {
      const auto found = by_signs.find(signs_of_markup(writing.text));
      ASSERT_TRUE(found != by_signs.end() && found->second == i) << writing.name << "\n"
                                                                 << plain << "\n"
                                                                 << writing.text << "\n"
                                                                 << text_of(writing.text);
      ASSERT_EQ(han_of_markup(writing.text), han_of_markup(plain)) << writing.name << "\n" << writing.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Variants, testing::Range(1, 9));

}  // namespace
}  // namespace qdedup::markup
