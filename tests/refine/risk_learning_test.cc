#include "refine/risk_learning.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

std::size_t feature_count() { return feature_names().size(); }

// What decides in the made data: the first six features are numbers from 0 to 1, some of them 0, and
// pair.differs is 1.
using Logit = std::function<double(const PairFeatures&)>;

constexpr std::size_t used = 6;

std::size_t differs() {
  return static_cast<std::size_t>(std::ranges::find(feature_names(), "pair.differs") -
                                  feature_names().begin());
}

PairFeatures made_features(std::mt19937_64& random) {
  PairFeatures features{random() % 2 == 0, std::vector<std::int32_t>(feature_count()), {}};
  for (std::size_t i = 0; i < used; ++i) {
    features.values[i] = random() % 3 == 0 ? static_cast<std::int32_t>(random() % 1001) : 0;
  }
  features.values[differs()] = 1000;
  return features;
}

std::vector<JudgedPair> made_pairs(std::uint64_t seed, std::size_t count, const Logit& logit) {
  std::mt19937_64 random(seed);
  std::vector<JudgedPair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    JudgedPair pair{made_features(random), random(), false};
    const double risk = 1 / (1 + std::exp(-logit(pair.features)));
    pair.is_same = static_cast<double>(random() % 1'000'000) / 1e6 >= risk;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// The first three features speak for a difference, and what the program comes with says so of all six.
RiskModel start() {
  std::vector<std::int64_t> features(feature_count());
  for (std::size_t i = 0; i < used; ++i) features[i] = 60'000;
  features[differs()] = 50'000;
  const RiskModel::Weights weights{-70'000, features, Risk(2000)};
  return RiskModel({weights, weights});
}

double three_decide(const PairFeatures& features) {
  return -3 + 8 * (features.values[0] + features.values[1] + features.values[2]) / 1000.0;
}

// The twin: the negative logarithm of the posterior, as the textbook has it.
double posterior_loss(const RiskModel& prior, const std::vector<double>& weights, bool calculates,
                      const std::vector<JudgedPair>& pairs) {
  double loss = 0;
  for (const JudgedPair& pair : pairs) {
    if (pair.features.calculates != calculates) continue;
    double logit = static_cast<double>(prior.weights(calculates).intercept) / 10'000;
    for (std::size_t i = 0; i < feature_count(); ++i) {
      logit += weights[i] * pair.features.values[i] / 1000.0;
    }
    const double risk = 1 / (1 + std::exp(-logit));
    loss -= std::log(pair.is_same ? 1 - risk : risk);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double mean = static_cast<double>(prior.weights(calculates).features[i]) / 10'000;
    loss += std::pow(weights[i] - mean, 2);  // the variance is a half
  }
  return loss;
}

TEST(FitWeights, FindsWhereTheLossIsLeast) {
  const std::vector<JudgedPair> pairs = made_pairs(1, 400, three_decide);
  const RiskModel model = fit_weights(start(), pairs);
  for (const bool calculates : {true, false}) {
    std::vector<double> weights;
    for (const std::int64_t weight : model.weights(calculates).features) {
      weights.push_back(static_cast<double>(weight) / 10'000);
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      constexpr double reach = 1e-3;
      std::vector<double> more = weights;
      std::vector<double> less = weights;
      more[i] += reach;
      less[i] -= reach;
      const double slope = (posterior_loss(start(), more, calculates, pairs) -
                            posterior_loss(start(), less, calculates, pairs)) /
                           (2 * reach);
      EXPECT_NEAR(slope, 0, 0.05) << "weight " << i;  // a weight is off by a rounding
    }
  }
}

TEST(FitWeights, WithoutPairsStaysWhereItStarts) {
  EXPECT_EQ(fit_weights(start(), {}).name(), start().name());
}

TEST(FitWeights, IsDeterministic) {
  const std::vector<JudgedPair> pairs = made_pairs(2, 300, three_decide);
  EXPECT_EQ(fit_weights(start(), pairs).text(), fit_weights(start(), pairs).text());
}

TEST(FitWeights, KeepsKindsOfQuestionsApart) {
  std::vector<JudgedPair> pairs = made_pairs(3, 300, three_decide);
  std::erase_if(pairs, [](const JudgedPair& pair) { return pair.features.calculates; });
  const RiskModel model = fit_weights(start(), pairs);
  EXPECT_EQ(model.weights(true).features, start().weights(true).features);
  EXPECT_EQ(model.weights(false).intercept, start().weights(false).intercept);
  EXPECT_NE(model.weights(false).features, start().weights(false).features);
}

TEST(QualityOf, CountsAsOneWouldByHand) {
  std::vector<JudgedPair> pairs = made_pairs(4, 200, three_decide);
  for (std::size_t i = 0; i < pairs.size(); i += 5) pairs[i].features.is_grave = true;
  const RiskQuality quality = quality_of(start(), pairs);
  double loss = 0;
  double ordered = 0;
  double couples = 0;
  std::uint64_t safe_same = 0;
  std::uint64_t safe_different = 0;
  for (const JudgedPair& pair : pairs) {
    const int risk = start().risk(pair.features).ten_thousandths();
    loss -= std::log(std::max(pair.is_same ? 10'000 - risk : risk, 1) / 10'000.0);
    const bool safe = !pair.features.is_grave && risk <= 2000;
    safe_same += safe && pair.is_same ? 1 : 0;
    safe_different += safe && !pair.is_same ? 1 : 0;
    for (const JudgedPair& other : pairs) {
      if (pair.is_same || !other.is_same) continue;
      const int lower = start().risk(other.features).ten_thousandths();
      ordered += risk > lower ? 1 : risk == lower ? 0.5 : 0;
      couples += 1;
    }
  }
  EXPECT_NEAR(quality.log_loss, loss / 200, 1e-9);
  EXPECT_NEAR(quality.ranking, ordered / couples, 1e-9);
  EXPECT_EQ(quality.safe_same, safe_same);
  EXPECT_EQ(quality.safe_different, safe_different);
  EXPECT_EQ(quality.same + quality.different, 200U);
}

TEST(LearnWeights, FindsTheBoundaryOfThisBank) {
  const Learning learning = learn_weights(start(), start(), made_pairs(5, 900, three_decide));
  EXPECT_EQ(learning.refusal, "");
  ASSERT_TRUE(learning.learned);
  for (const bool calculates : {true, false}) {
    const RiskModel::Weights& weights = learning.learned->weights(calculates);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_GT(weights.features[i], 40'000);
      EXPECT_LT(weights.features[i + 3], 30'000);
    }
    EXPECT_LE(weights.highest_safe, start().weights(calculates).highest_safe);
  }
  EXPECT_LT(learning.after.log_loss, learning.before.log_loss);
  EXPECT_GT(learning.after.safe_same, learning.before.safe_same);
  EXPECT_GT(learning.tested, 200U);
  EXPECT_LT(learning.tested, 400U);
}

TEST(LearnWeights, RefusesWhatIsNoBetterThanWhatIsInForce) {
  const std::vector<JudgedPair> pairs = made_pairs(5, 900, three_decide);
  const Learning first = learn_weights(start(), start(), pairs);
  ASSERT_TRUE(first.learned);
  const Learning again = learn_weights(start(), *first.learned, pairs);
  EXPECT_NE(again.refusal, "");
  EXPECT_EQ(again.learned->name(), first.learned->name());
}

TEST(LargeLearning, RefusesRandomDecisionsButForChance) {
  int learned = 0;
  for (std::uint64_t seed = 100; seed < 200; ++seed) {
    const auto pairs = made_pairs(seed, 300, [](const PairFeatures&) { return 0.0; });
    if (learn_weights(start(), start(), pairs).refusal.empty()) ++learned;
  }
  EXPECT_LE(learned, 5);
}

TEST(LearnWeights, RefusesDecisionsThatAreMixedUp) {
  std::vector<JudgedPair> pairs = made_pairs(6, 600, three_decide);
  for (JudgedPair& pair : pairs) pair.is_same = !pair.is_same;
  EXPECT_NE(learn_weights(start(), start(), pairs).refusal.find("mixed up"), std::string::npos);
}

TEST(LearnWeights, RefusesTooFew) {
  const auto refusal = [](std::size_t same, std::size_t different, bool in_one_group) {
    std::mt19937_64 random(7);
    std::vector<JudgedPair> pairs;
    for (std::size_t i = 0; i < same + different; ++i) {
      pairs.push_back({made_features(random), in_one_group ? 2 : random(), i < same});
    }
    return learn_weights(start(), start(), pairs).refusal;
  };
  EXPECT_EQ(refusal(10, 7, false),
            "of pairs that differ in a word, 17 were decided one by one, 10 approved and 7 rejected; at "
            "least 100 are needed, with at least 20 of each");
  EXPECT_NE(refusal(190, 19, false).find("at least 20 of each"), std::string::npos);
  EXPECT_NE(refusal(19, 190, false).find("at least 20 of each"), std::string::npos);
  EXPECT_NE(refusal(100, 100, true).find("left out"), std::string::npos);
}

TEST(LearnWeights, IsNoLessPreciseWhereItIsTested) {
  for (std::uint64_t seed = 40; seed < 50; ++seed) {
    const auto pairs = made_pairs(seed, 600, [](const PairFeatures& features) {
      return three_decide(features) + (features.values[5] > 500 ? 3 : 0);
    });
    const Learning learning = learn_weights(start(), start(), pairs);
    ASSERT_TRUE(learning.learned);
    if (!learning.refusal.empty()) continue;
    EXPECT_LE(learning.after.safe_different * learning.before.safe(),
              learning.before.safe_different * std::max<std::uint64_t>(learning.after.safe(), 1))
        << seed;
  }
}

}  // namespace
}  // namespace qdedup::refine
