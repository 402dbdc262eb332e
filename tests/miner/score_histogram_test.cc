#include "miner/score_histogram.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::miner {
namespace {

TEST(ScoreHistogram, BucketsAreBoundedBelow) {
  for (std::size_t bucket = 1; bucket < ScoreHistogram::buckets; ++bucket) {
    const double bound = ScoreHistogram::lower_bound(bucket);
    EXPECT_EQ(ScoreHistogram::bucket_of(bound), bucket);
    EXPECT_EQ(ScoreHistogram::bucket_of(std::nextafter(bound, 0.0)), bucket - 1);
  }
}

TEST(ScoreHistogram, ScoresOfAnyKindHaveABucket) {
  for (const double score : {0.0, -0.0, -1.0, -1e300, 5e-324, 1e-5}) {
    EXPECT_EQ(ScoreHistogram::bucket_of(score), 0U) << score;
  }
  for (const double score : {65536.0, 1e300, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(ScoreHistogram::bucket_of(score), ScoreHistogram::buckets - 1) << score;
  }
}

TEST(ScoreHistogram, ABucketIsATwelfthWideAtMost) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> scores(0.001, 100);
  for (int i = 0; i < 10'000; ++i) {
    const double score = scores(random);
    const std::size_t bucket = ScoreHistogram::bucket_of(score);
    EXPECT_LE(ScoreHistogram::lower_bound(bucket), score);
    EXPECT_GT(ScoreHistogram::lower_bound(bucket + 1), score);
    EXPECT_LE(ScoreHistogram::lower_bound(bucket + 1) / ScoreHistogram::lower_bound(bucket), 1.0 + 1.0 / 16);
  }
}

TEST(ScoreHistogram, CountsTheBestScoreOfEachListAndAllOfASample) {
  ScoreHistogram histogram;
  histogram.add({});
  histogram.add(
      std::vector<ScoredId>{{.id = 32, .score = 0.75}, {.id = 1, .score = 0.25}, {.id = 2, .score = 0.25}});
  histogram.add(std::vector<ScoredId>{{.id = 33, .score = 0.75}, {.id = 1, .score = 0.25}});
  const ScoreHistogram::Counts best = histogram[ScoreHistogram::bucket_of(0.75)];
  const ScoreHistogram::Counts other = histogram[ScoreHistogram::bucket_of(0.25)];
  EXPECT_EQ(best, (ScoreHistogram::Counts{2, 1}));
  EXPECT_EQ(other, (ScoreHistogram::Counts{0, 2}));

  ScoreHistogram twice = histogram;
  twice += histogram;
  EXPECT_EQ(twice[ScoreHistogram::bucket_of(0.75)], (ScoreHistogram::Counts{4, 2}));
}

TEST(ScoreHistogram, TellsWhereTheBestScoresLie) {
  ScoreHistogram histogram;
  EXPECT_FALSE(histogram.best_scores());
  const auto add = [&](double score) { histogram.add(std::vector<ScoredId>{{.id = 1, .score = score}}); };
  const auto expect = [&](double least, double median, double greatest) {
    const auto spread = histogram.best_scores();
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->least, least);
    EXPECT_EQ(spread->median, median);
    EXPECT_EQ(spread->greatest, greatest);
  };
  add(0.25);
  expect(0.25, 0.25, 0.265625);
  add(0.75);
  expect(0.25, 0.75, 0.78125);
  add(0.5);
  add(0.5);
  expect(0.25, 0.5, 0.78125);
  add(-1);
  add(1e9);
  expect(0, 0.5, 65536);
}

}  // namespace
}  // namespace qdedup::miner
