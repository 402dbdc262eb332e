#include "miner/id_index.h"

#include <map>
#include <random>
#include <span>
#include <vector>

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

TEST(IdIndex, ManyAtOnceAreNumberedLikeOneByOne) {
  std::mt19937_64 random(2);
  std::vector<QuestionId> ids(50'000);
  for (QuestionId& id : ids) id = static_cast<QuestionId>(1 + random() % 20'000);
  IdIndex one_by_one;
  for (const QuestionId id : ids) one_by_one.insert(id);
  IdIndex index;
  index.insert_all(std::span(ids).first(10));
  index.insert_all(std::span(ids).subspan(10));
  EXPECT_EQ(index.ids(), one_by_one.ids());
}

TEST(IdIndex, CanNumberIdsByTheirOrder) {
  IdIndex index;
  for (const QuestionId id : {70, 7, 700}) index.insert(id);
  index.number_by_id();
  EXPECT_EQ(index.ids(), (std::vector<QuestionId>{7, 70, 700}));
  EXPECT_EQ(index.number_of(7), 0U);
  EXPECT_EQ(index.number_of(70), 1U);
  EXPECT_EQ(index.number_of(700), 2U);
}

}  // namespace
}  // namespace qdedup::miner
