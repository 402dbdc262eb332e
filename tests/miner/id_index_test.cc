#include "miner/id_index.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

TEST(IdIndex, NumbersIdsAsTheyAppear) {
  IdIndex index;
  EXPECT_EQ(index.insert(7), 0U);
  EXPECT_EQ(index.insert(max_question_id), 1U);
  EXPECT_EQ(index.insert(7), 0U);
  EXPECT_EQ(index.insert(1), 2U);
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(index.ids(), (std::vector<QuestionId>{7, max_question_id, 1}));
}

TEST(IdIndex, AgreesWithAMapWhileItGrows) {
  std::mt19937_64 random(1);
  IdIndex index;
  std::map<QuestionId, std::uint32_t> expected;
  for (int i = 0; i < 100000; ++i) {
    const auto id = static_cast<QuestionId>(1 + random() % 20000 * 4096);
    const auto number = expected.emplace(id, static_cast<std::uint32_t>(expected.size())).first->second;
    ASSERT_EQ(index.insert(id), number);
  }
  EXPECT_EQ(index.size(), expected.size());
  for (const auto& [id, number] : expected) ASSERT_EQ(index.ids()[number], id);
}

}  // namespace
}  // namespace qdedup::miner
