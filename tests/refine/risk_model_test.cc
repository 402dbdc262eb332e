#include "refine/risk_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

using testing::HasSubstr;

std::string shipped_text() { return RiskModel::shipped().text(); }

std::string error_of(const std::string& text) {
  const Result<RiskModel> model = RiskModel::read("w.txt", text);
  return model.ok() ? "" : model.error().message;
}

std::string without_line(std::string text, const std::string& name) {
  const std::size_t at = text.find("\n" + name + "\t") + 1;
  return text.erase(at, text.find('\n', at) + 1 - at);
}

std::string without_comments(std::string_view text) {
  return std::string(text.substr(text.find("\nfeature") + 1));
}

TEST(RiskModel, WritesWhatItReads) {
  const Result<RiskModel> model = RiskModel::read("w.txt", shipped_text());
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model->text(), shipped_text());
  EXPECT_EQ(model->text(), without_comments(word_files().weights));
  EXPECT_EQ(model->name(), RiskModel::shipped().name());
  EXPECT_EQ(model->name().size(), 16U);
}

TEST(RiskModel, NamesTheLineThatIsWrong) {
  const std::string text = shipped_text();
  EXPECT_EQ(
      error_of(text + "pair.weather\t0.0000\t0.0000\n"),
      "w.txt:" + std::to_string(std::ranges::count(text, '\n') + 1) + ": no feature is called pair.weather");
  EXPECT_THAT(error_of(text + "pair.differs\t0.0000\t0.0000\n"), HasSubstr("pair.differs stands twice"));
  EXPECT_THAT(error_of(without_line(text, "pair.differs")), HasSubstr("pair.differs is missing"));
  EXPECT_THAT(error_of(without_line(text, "intercept")), HasSubstr("intercept is missing"));
  EXPECT_THAT(error_of(without_line(text, "highest-safe-risk")), HasSubstr("highest-safe-risk is missing"));
  for (const std::string cell : {"1", "1.5", "x", "1.00000", "-.5000", "--1.0000", "1000.0000", ""}) {
    EXPECT_THAT(error_of(without_line(text, "pair.differs") + "pair.differs\t" + cell + "\t0.0000\n"),
                HasSubstr("four decimals"))
        << cell;
  }
  EXPECT_THAT(error_of("pair.differs\t0.0000\n"), HasSubstr("three columns"));
}

TEST(RiskModel, QuestionsWithTheSameWordsAreSafe) {
  const PairFeatures features =
      pair_features(TextForms("3加5等于几？"), TextForms("3加5 等于几"), CharacterCounts());
  EXPECT_LT(RiskModel::shipped().risk(features), Risk(100));
  EXPECT_EQ(RiskModel::shipped().confidence(features), Confidence::safe);
}

TEST(RiskModel, AddsUpWeightsOfTheKindOfQuestion) {
  std::array<RiskModel::Weights, 2> weights;
  for (RiskModel::Weights& column : weights) column.features.resize(feature_names().size());
  weights[0].intercept = -10'000;
  weights[0].features[0] = 5'000;
  weights[0].highest_safe = Risk(5000);
  weights[1].features[0] = 20'000;
  const RiskModel model(weights);
  PairFeatures features{true, std::vector<std::int32_t>(feature_names().size()), {}};
  features.values[0] = 2000;
  EXPECT_EQ(model.risk(features), Risk(5000));
  EXPECT_EQ(model.confidence(features), Confidence::safe);
  features.calculates = false;
  EXPECT_EQ(model.risk(features), logistic(40'000));
  EXPECT_EQ(model.confidence(features), Confidence::doubtful);
}

TEST(RiskModel, AGravePairIsDoubtfulWhateverTheWeights) {
  std::array<RiskModel::Weights, 2> weights;
  for (RiskModel::Weights& column : weights) {
    column = {-50'000, std::vector<std::int64_t>(feature_names().size()), Risk(Risk::certain)};
  }
  const RiskModel model(weights);
  const CharacterCounts bank;
  const PairFeatures slight =
      pair_features(TextForms("下列正确的是哪一项？"), TextForms("下列正确的是哪一项呢？"), bank);
  EXPECT_FALSE(slight.is_grave);
  EXPECT_EQ(model.risk(slight), Risk(67));
  EXPECT_EQ(model.confidence(slight), Confidence::safe);
  const PairFeatures negated =
      pair_features(TextForms("下列正确的是哪一项？"), TextForms("下列不正确的是哪一项？"), bank);
  EXPECT_TRUE(negated.is_grave);
  EXPECT_EQ(model.risk(negated), Risk(5000));
  EXPECT_EQ(model.confidence(negated), Confidence::doubtful);
}

// The slow obvious twin.
TEST(Logistic, IsWhatFloatingPointSays) {
  for (std::int64_t logit = -300'000; logit <= 300'000; logit += 7) {
    const double exact = 10'000 / (1 + std::exp(-static_cast<double>(logit) / 10'000));
    EXPECT_NEAR(logistic(logit).ten_thousandths(), exact, 0.51) << logit;
    if (logit > -300'000) {
      EXPECT_LE(logistic(logit - 7), logistic(logit));
    }
  }
  EXPECT_EQ(logistic(INT64_MIN / 2), Risk(0));
  EXPECT_EQ(logistic(INT64_MAX / 2), Risk(Risk::certain));
  EXPECT_EQ(logistic(0), Risk(5000));
}

}  // namespace
}  // namespace qdedup::refine
