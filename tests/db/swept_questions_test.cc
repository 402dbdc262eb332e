#include "db/swept_questions.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

class SweptQuestionsTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Result<Bank> bank_ = Bank::open(StateFolder(folder_.path().string()), Access::read_write);
  SweptQuestions swept_{*bank_};
};

TEST_F(SweptQuestionsTest, AreKeptByBucket) {
  ASSERT_TRUE(swept_.begin("rules").ok());
  ASSERT_TRUE(swept_.replace(5, {{{1, 11}, {9, ~std::uint64_t{0}}}, {}, {{4, 44}}}).ok());
  EXPECT_EQ(*swept_.in(5, 8), (std::vector<SweptQuestion>{{1, 11}, {4, 44}, {9, ~std::uint64_t{0}}}));
  EXPECT_EQ(*swept_.in(6, 8), (std::vector<SweptQuestion>{{4, 44}}));
  ASSERT_TRUE(swept_.replace(7, {{}}).ok());
  EXPECT_TRUE(swept_.in(6, SweptQuestions::buckets)->empty());
}

TEST_F(SweptQuestionsTest, OfALargeBucketAreKeptInParts) {
  SweptQuestions parts(*bank_, 2);
  std::vector<SweptQuestion> many;
  for (QuestionId id = 1; id <= 7; ++id) many.push_back({id, static_cast<std::uint64_t>(id * 11)});
  ASSERT_TRUE(parts.replace(3, {many, {{9, 99}}}).ok());
  EXPECT_EQ(*parts.in(3, 4), many);
  EXPECT_EQ(*swept_.in(4, 5), (std::vector<SweptQuestion>{{9, 99}}));
  ASSERT_TRUE(parts.replace(3, {{many[4], many[5], many[6]}}).ok());
  EXPECT_EQ(*parts.in(3, 4), (std::vector<SweptQuestion>{many[4], many[5], many[6]}));
  EXPECT_EQ(*parts.in(4, SweptQuestions::buckets), (std::vector<SweptQuestion>{{9, 99}}));
  EXPECT_TRUE(parts.in(0, 3)->empty());
}

TEST_F(SweptQuestionsTest, FillRowsThatTheDatabaseTakes) {
  const Status stored = swept_.replace(0, {std::vector<SweptQuestion>(SweptQuestions::usual_part)});
  EXPECT_TRUE(stored.ok()) << stored.error().message;
}

TEST_F(SweptQuestionsTest, AreForgottenUnderOtherRules) {
  ASSERT_TRUE(swept_.begin("rules").ok());
  ASSERT_TRUE(swept_.replace(0, {{{1, 11}}}).ok());
  ASSERT_TRUE(swept_.begin("rules").ok());
  EXPECT_EQ(swept_.in(0, 1)->size(), 1U);
  ASSERT_TRUE(swept_.begin("other rules").ok());
  EXPECT_TRUE(swept_.in(0, 1)->empty());
}

TEST_F(SweptQuestionsTest, HaveABucketForEachFingerprint) {
  EXPECT_EQ(SweptQuestions::bucket_of(0), 0U);
  EXPECT_EQ(SweptQuestions::bucket_of(~std::uint64_t{0}), SweptQuestions::buckets - 1);
}

}  // namespace
}  // namespace qdedup::db
