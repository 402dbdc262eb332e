#include "review/evaluation.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qdedup::review {
namespace {

using testing::HasSubstr;
using testing::Not;

refine::Contrast safe() { return {}; }

refine::Contrast doubtful(const std::vector<std::string>& reasons) {
  refine::Contrast contrast;
  contrast.confidence = refine::Confidence::doubtful;
  for (const std::string& reason : reasons) contrast.reasons.push_back({reason, {0, 1}, {0, 1}});
  return contrast;
}

// Three same (one doubtful), two different (one safe), one reordered and doubtful.
Evaluation sample() {
  Evaluation evaluation;
  evaluation.add({1, 11, PairLabel::same, "hand", "math"}, 1, safe());
  evaluation.add({2, 12, PairLabel::same, "hand", "math"}, 1, safe());
  evaluation.add({3, 13, PairLabel::same, "hand", "text"}, 1, doubtful({"unit", "unit", "stem-differs"}));
  evaluation.add({4, 14, PairLabel::different, "hand", "text"}, 1, safe());
  evaluation.add({5, 15, PairLabel::different, "answers", "math"}, 1, doubtful({"unit"}));
  evaluation.add({6, 16, PairLabel::reordered, "hand", "text"}, 1, doubtful({"options-reordered"}));
  evaluation.add_missing();
  return evaluation;
}

TEST(Evaluation, CountsLabelByConfidence) {
  const Evaluation evaluation = sample();
  EXPECT_EQ(evaluation.pairs().all.of(PairLabel::same), (ConfidenceCounts{2, 1}));
  EXPECT_EQ(evaluation.pairs().all.of(PairLabel::different), (ConfidenceCounts{1, 1}));
  EXPECT_EQ(evaluation.pairs().subjects.at("math").of(PairLabel::same), (ConfidenceCounts{2, 0}));
  EXPECT_EQ(evaluation.pairs().subjects.at("text").of(PairLabel::reordered), (ConfidenceCounts{0, 1}));
}

TEST(Evaluation, PercentagesLeaveOutWhatIsNeitherSameNorDifferent) {
  const Evaluation evaluation = sample();
  EXPECT_EQ(evaluation.pairs().all.precision_of_safe(), 6667U);
  EXPECT_EQ(evaluation.pairs().all.precision_of_rule(), 6000U);
  EXPECT_EQ(evaluation.pairs().all.same_kept_safe(), 6667U);
}

TEST(Evaluation, NothingCountedHasNoPercentage) {
  EXPECT_EQ(Evaluation().pairs().all.precision_of_safe(), std::nullopt);
  EXPECT_EQ(Evaluation().pairs().all.precision_of_rule(), std::nullopt);
  EXPECT_EQ(Evaluation().pairs().all.same_kept_safe(), std::nullopt);
}

TEST(Evaluation, CountsEachReasonOncePerPair) {
  const auto reasons = sample().reasons();
  EXPECT_EQ(reasons.at("unit"), (Evaluation::LabelCounts{1, 1, 0, 0, 0}));
  EXPECT_EQ(reasons.at("options-reordered"), (Evaluation::LabelCounts{0, 0, 1, 0, 0}));
}

TEST(Evaluation, TheWorstAreWrongDeletionsFirst) {
  const auto worst = sample().worst();
  ASSERT_EQ(worst.size(), 2U);
  EXPECT_EQ(worst[0].pair.small_id, 4);
  EXPECT_EQ(worst[0].reasons.text(), "");
  EXPECT_EQ(worst[1].pair.small_id, 3);
  EXPECT_EQ(worst[1].reasons.text(), "unit;stem-differs");
}

TEST(Evaluation, KeepsSomeOfTheWorst) {
  Evaluation evaluation;
  for (QuestionId id = 1000; id > 0; --id) {
    evaluation.add({id, 2000, PairLabel::different, "", ""}, 1, safe());
    evaluation.add({id, 2000, PairLabel::same, "", ""}, 1, doubtful({"unit"}));
  }
  const auto worst = evaluation.worst();
  ASSERT_EQ(worst.size(), 2 * Evaluation::max_worst);
  for (std::size_t i = 0; i < worst.size(); ++i) {
    EXPECT_EQ(worst[i].pair.small_id, static_cast<QuestionId>(1 + i % Evaluation::max_worst));
  }
  EXPECT_EQ(evaluation.more_wrong(), 2 * (1000 - Evaluation::max_worst));
}

TEST(EvaluationReport, JsonHasTheTableAtItsTop) {
  const auto json = nlohmann::json::parse(evaluation_json(sample()));
  EXPECT_EQ(json["same"], (nlohmann::json{{"safe", 2}, {"doubtful", 1}}));
  EXPECT_EQ(json["different"], (nlohmann::json{{"safe", 1}, {"doubtful", 1}}));
  EXPECT_EQ(json["reordered"], (nlohmann::json{{"safe", 0}, {"doubtful", 1}}));
  EXPECT_EQ(json["unclear"], (nlohmann::json{{"safe", 0}, {"doubtful", 0}}));
  EXPECT_DOUBLE_EQ(json["precision_of_safe"], 66.67);
  EXPECT_EQ(json["subjects"]["math"]["precision_of_safe"], 100.0);
  EXPECT_EQ(json["reasons"]["unit"]["different"], 1);
  EXPECT_EQ(json["worst"][0]["confidence"], "safe");
  EXPECT_EQ(json["worst"][1]["reasons"], "unit;stem-differs");
  EXPECT_EQ(json["missing"], 1);
}

// Equal texts are many and right, so that they hide what is wrong among the others.
TEST(Evaluation, ShowsPairsWithADistanceByThemselves) {
  Evaluation evaluation;
  evaluation.add({1, 11, PairLabel::same, "", "math"}, 0, safe());
  evaluation.add({2, 12, PairLabel::same, "", "text"}, 0, safe());
  evaluation.add({3, 13, PairLabel::different, "", "math"}, 2, safe());
  EXPECT_EQ(evaluation.pairs().subjects.at("math").precision_of_safe(), 5000U);
  EXPECT_EQ(evaluation.unequal().subjects.at("math").precision_of_safe(), 0U);
  EXPECT_EQ(evaluation.unequal().reliability.bins()[0].pairs, 1U);
  const auto json = nlohmann::json::parse(evaluation_json(evaluation));
  EXPECT_EQ(json["subjects"]["math"]["unequal"]["precision_of_safe"], 0.0);
  EXPECT_TRUE(json["subjects"]["text"]["unequal"]["precision_of_safe"].is_null());
  EXPECT_EQ(json["reliability"][0]["pairs"], 3);
  EXPECT_THAT(evaluation_text(evaluation),
              HasSubstr("  distance above 0   precision of safe 0.00 %, same kept safe -\n"));
}

TEST(EvaluationReport, JsonOfNothing) {
  const auto json = nlohmann::json::parse(evaluation_json(Evaluation()));
  EXPECT_TRUE(json["precision_of_safe"].is_null());
  EXPECT_EQ(json["worst"], nlohmann::json::array());
  EXPECT_EQ(json["subjects"], nlohmann::json::object());
}

TEST(EvaluationReport, TextShowsTablesReasonsAndTheWorst) {
  const std::string text = evaluation_text(sample());
  EXPECT_THAT(text,
              HasSubstr("all\n  label             safe  doubtful\n  same                 2         1\n"));
  EXPECT_THAT(text, HasSubstr("\nmath\n"));
  EXPECT_THAT(text, HasSubstr("  precision of safe  66.67 %\n"));
  EXPECT_THAT(text, HasSubstr("  unit: same 1 different 1\n"));
  EXPECT_THAT(text, HasSubstr("  4 14 different, but safe\n"));
  EXPECT_THAT(text, HasSubstr("  3 13 same, but doubtful: unit;stem-differs\n"));
  EXPECT_THAT(text, HasSubstr("not in the bank, or without a text to compare: 1 pairs\n"));
}

TEST(EvaluationReport, TextOfNothing) {
  const std::string text = evaluation_text(Evaluation());
  EXPECT_THAT(text, HasSubstr("  precision of safe  -\n"));
  EXPECT_THAT(text, Not(HasSubstr("worst")));
}

}  // namespace
}  // namespace qdedup::review
