#include "iteration/near_pairs.h"

#include <memory>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "finder/simhash_scheme.h"
#include "finder/substring_scheme.h"

namespace qdedup::iteration {
namespace {

TEST(NearPairs, RefuseMoreKeysThanAnIndexCanHave) {
  for (const std::size_t most_keys : {5U, 6U}) {
    finder::SubstringScheme scheme({});
    const auto near =
        near_pairs_of(std::make_unique<finder::SubstringScheme>(finder::SubstringSettings()), most_keys);
    near->expect(2);
    near->add(0, scheme.signature(U"一二三四五六"));
    near->add(1, scheme.signature(U"三四五六七八"));
    int told = 0;
    const Status completed = near->complete([](std::uint32_t, std::uint32_t) {}, [&] { ++told; });
    EXPECT_GT(told, 0);
    if (most_keys < 6) {
      ASSERT_FALSE(completed.ok());
      EXPECT_EQ(completed.error().code, ErrorCode::config);
      EXPECT_NE(completed.error().message.find("more than 5 keys"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(completed.ok());
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    (void)near->find(
        0, near->size(), [](std::uint32_t, std::uint32_t) { return true; },
        [&](std::uint32_t a, std::uint32_t b) { pairs.emplace(a, b); });
    EXPECT_EQ(pairs, (std::set<std::pair<std::uint32_t, std::uint32_t>>{{1, 0}}));
  }
}

TEST(NearPairs, TellOfThemselvesBeforeEachTable) {
  const auto near = near_pairs_of(std::make_unique<finder::SimhashScheme>(finder::SimhashSettings()));
  int told = 0;
  ASSERT_TRUE(near->complete([](std::uint32_t, std::uint32_t) {}, [&] { ++told; }).ok());
  EXPECT_GE(told, 4);
}

}  // namespace
}  // namespace qdedup::iteration
