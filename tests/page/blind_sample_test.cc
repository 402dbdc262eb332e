#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "page/replies.h"
#include "tests/page/reviewed_state.h"

namespace qdedup::page {
namespace {

class BlindSample : public testing::Test {
 protected:
  Reply draw(const std::string& body) {
    return draw_sample(body, state_.folder(), state_.writer(), by("ann"), 1,
                       [this](db::Activity) { ++signs_of_life_; });
  }
  Reply say(int position, const std::string& judgement, const std::string& name = "ann") {
    const nlohmann::json body = {{"sample", 1}, {"position", position}, {"judgement", judgement}};
    return judge(body.dump(), state_.writer(), by(name));
  }
  nlohmann::json first() {
    Reading reading = state_.reading();
    return json_of(samples_reply(reading))["samples"][0];
  }

  int signs_of_life_ = 0;
  ReviewedState state_;
  std::int64_t iteration_ = state_.list({{5, 2}, {9, 2}, {12, 7}, {13, 7, "doubtful", "unit"}});
};

TEST_F(BlindSample, IsOfSafePairsAndTellsNoVerdict) {
  EXPECT_EQ(json_of(draw(R"({"size":10})"))["size"], 3);
  Reading reading = state_.reading();
  const nlohmann::json pairs = json_of(sample_reply(reading, {{"id", "1"}}))["pairs"];
  ASSERT_EQ(pairs.size(), 3U);
  for (const auto& pair : pairs) {
    EXPECT_NE(pair["question"]["id"], "13");
    EXPECT_FALSE(pair["question"].contains("confidence"));
    EXPECT_FALSE(pair["question"].contains("status"));
    EXPECT_FALSE(pair["question"].contains("reasons"));
    EXPECT_EQ(pair["judgement"], "");
  }
}

TEST_F(BlindSample, StaysThatOfThePairsThatWereDrawn) {
  draw(R"({"size":3})");
  state_.repoint(9, 1);
  Reading reading = state_.reading();
  const nlohmann::json pairs = json_of(sample_reply(reading, {{"id", "1"}}))["pairs"];
  const auto of_9 =
      std::ranges::find_if(pairs, [](const nlohmann::json& pair) { return pair["question"]["id"] == "9"; });
  ASSERT_NE(of_9, pairs.end());
  EXPECT_EQ((*of_9)["keeper"]["id"], "2");
}

TEST_F(BlindSample, CountsJudgementsAndEstimatesThePrecision) {
  draw(R"({"size":3,"iteration":1})");
  EXPECT_EQ(first()["precision"], 0);
  EXPECT_EQ(say(1, "same").status, 200U);
  EXPECT_EQ(say(2, "different").status, 200U);
  EXPECT_EQ(first()["same"], 1);
  EXPECT_EQ(first()["different"], 1);
  EXPECT_DOUBLE_EQ(first()["precision"], 0.5);
  EXPECT_EQ(first()["population"], 3);
}

TEST_F(BlindSample, IsOfPairsInTheBank) {
  state_.remove(9);
  EXPECT_EQ(json_of(draw(R"({"size":10})"))["size"], 2);
}

TEST_F(BlindSample, JudgementsAreTheirReviewersToChange) {
  draw(R"({"size":3})");
  say(1, "same");
  EXPECT_EQ(say(1, "different", "bob").status, 409U);
  EXPECT_EQ(say(1, "").status, 200U);
  EXPECT_EQ(say(1, "different", "bob").status, 200U);
  EXPECT_EQ(first()["different"], 1);
}

TEST_F(BlindSample, JudgementsAreOfPairsThatWereDrawn) {
  EXPECT_EQ(say(1, "same").status, 404U);
  draw(R"({"size":3})");
  EXPECT_EQ(say(0, "same").status, 404U);
  EXPECT_EQ(say(3, "same").status, 200U);
  EXPECT_EQ(say(4, "same").status, 404U);
}

TEST_F(BlindSample, IsDrawnFromManyWithSignsOfLife) {
  std::vector<ReviewedState::Listed> many;
  for (QuestionId question = 1000; question < 21'000; ++question) many.push_back({question, 2});
  state_.list(many);
  EXPECT_EQ(draw(R"({"size":1})").status, 200U);
  EXPECT_GT(signs_of_life_, 0);
}

TEST(LargeBlindSample, ComesInAnswersOfLimitedSize) {
  ReviewedState state;
  state.list_formulas(10);
  ASSERT_EQ(draw_sample(R"({"size":10})", state.folder(), state.writer(), by("ann"), 1, {}).status, 200U);
  Reading reading = state.reading();
  reading.draws = true;
  std::size_t next = 1;
  while (next <= 10) {
    const Reply reply = sample_reply(reading, {{"id", "1"}, {"from", std::to_string(next)}});
    EXPECT_LT(reply.json.size(), 10U << 20U);
    const nlohmann::json pairs = json_of(reply)["pairs"];
    ASSERT_EQ(pairs.size(), 10U);
    const auto has_texts = [](const nlohmann::json& pair) { return pair.contains("question"); };
    EXPECT_LT(std::ranges::count_if(pairs, has_texts), 10);
    ASSERT_TRUE(has_texts(pairs[next - 1]));
    while (next <= 10 && has_texts(pairs[next - 1])) ++next;
  }
}

TEST_F(BlindSample, RefusesWhatMakesNoSense) {
  EXPECT_EQ(draw(R"({"size":0})").status, 400U);
  EXPECT_EQ(draw(R"({"size":1001})").status, 400U);
  EXPECT_EQ(draw(R"({"size":5,"iteration":77})").status, 404U);
  EXPECT_EQ(say(1, "perhaps").status, 400U);
  EXPECT_EQ(say(-1, "same").status, 400U);
  EXPECT_EQ(draw(R"({"size":18446744073709551621})").status, 400U);
  EXPECT_EQ(draw(R"({"size":5.5})").status, 400U);
  EXPECT_EQ(draw(R"({"size":5,"iteration":18446744073709551615})").status, 400U);
  EXPECT_EQ(judge(R"({"sample":1e300,"position":1,"judgement":"same"})", state_.writer(), by("ann")).status,
            400U);
  Reading reading = state_.reading();
  EXPECT_EQ(sample_reply(reading, {{"id", "5"}}).status, 404U);
}

const std::vector<std::int64_t> drawn_from = {3, 5, 8, 13, 21};

TEST(Drawing, TakesDistinctIdsOfThose) {
  const std::vector<std::int64_t> drawn = draw(drawn_from, 3, 1);
  ASSERT_EQ(drawn.size(), 3U);
  const std::set<std::int64_t> distinct(drawn.begin(), drawn.end());
  EXPECT_EQ(distinct.size(), 3U);
  for (const std::int64_t id : drawn) EXPECT_NE(std::ranges::find(drawn_from, id), drawn_from.end());
}

TEST(Drawing, TakesAllWhereThereAreFewer) {
  EXPECT_EQ(draw(drawn_from, 9, 1).size(), 5U);
  EXPECT_TRUE(draw({}, 9, 1).empty());
}

TEST(Drawing, IsTheSameForTheSameSeed) {
  EXPECT_EQ(draw(drawn_from, 5, 7), draw(drawn_from, 5, 7));
  EXPECT_NE(draw(drawn_from, 5, 7), draw(drawn_from, 5, 8));
}

TEST(Drawing, GivesEachIdTheSameChance) {
  std::map<std::int64_t, int> drawn;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) ++drawn[draw(drawn_from, 1, seed).front()];
  for (const std::int64_t id : drawn_from) EXPECT_NEAR(drawn[id], 1000, 150) << id;
}

}  // namespace
}  // namespace qdedup::page
