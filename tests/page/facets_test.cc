#include "page/facets.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::page {
namespace {

using testing::ElementsAre;
using testing::Pair;

const std::vector<db::DeletionTally> tallies = {
    {1, "pending", "safe", "", 100, 5},
    {1, "pending", "doubtful", "polarity:多/少", 92, 3},
    {2, "pending", "doubtful", "polarity:大/小;unit", 92, 2},
    {2, "pending", "doubtful", "unit", 81, 1},
};

TEST(Facets, CountEverythingWithoutAFilter) {
  const Facets facets = facets_of(tallies, {});
  EXPECT_EQ(facets.total, 11U);
  EXPECT_THAT(facets.iterations, ElementsAre(Pair(1, 8U), Pair(2, 3U)));
  EXPECT_THAT(facets.confidences, ElementsAre(Pair("doubtful", 6U), Pair("safe", 5U)));
  EXPECT_THAT(facets.reasons, ElementsAre(Pair("polarity", 5U), Pair("unit", 3U)));
  EXPECT_THAT(facets.subjects, ElementsAre(Pair("polarity:多/少", 3U), Pair("polarity:大/小", 2U)));
  EXPECT_EQ(facets.similarity[92], 5U);
}

TEST(Facets, CountWhatAnotherChoiceWouldGive) {
  db::DeletionFilter filter;
  filter.confidence = "doubtful";
  filter.reason = "unit";
  const Facets facets = facets_of(tallies, filter);
  EXPECT_EQ(facets.total, 3U);
  EXPECT_THAT(facets.confidences, ElementsAre(Pair("doubtful", 3U)));
  EXPECT_THAT(facets.reasons, ElementsAre(Pair("polarity", 5U), Pair("unit", 3U)));
  EXPECT_THAT(facets.iterations, ElementsAre(Pair(2, 3U)));
}

TEST(Facets, KnowAReasonWithItsSubject) {
  db::DeletionFilter filter;
  filter.reason = "polarity:多/少";
  EXPECT_EQ(facets_of(tallies, filter).total, 3U);
  filter.reason = "polarity";
  EXPECT_EQ(facets_of(tallies, filter).total, 5U);
  filter.reason = "pol";
  EXPECT_EQ(facets_of(tallies, filter).total, 0U);
}

TEST(Facets, TakeBothEndsOfTheSimilarity) {
  db::DeletionFilter filter;
  filter.min_similarity = 81;
  filter.max_similarity = 92;
  EXPECT_EQ(facets_of(tallies, filter).total, 6U);
  EXPECT_EQ(facets_of(tallies, filter).similarity[100], 5U);
}

}  // namespace
}  // namespace qdedup::page
