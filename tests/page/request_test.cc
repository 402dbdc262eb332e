#include "page/request.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace qdedup::page {
namespace {

TEST(Query, IsForWhatIsPendingUnlessItSaysOtherwise) {
  const auto filter = filter_of({});
  ASSERT_TRUE(filter.ok());
  EXPECT_EQ(filter->statuses, std::vector{db::DeletionStatus::pending});
  EXPECT_FALSE(filter->iteration);
  EXPECT_EQ(filter->max_similarity, 100);
}

TEST(Query, TakesEveryPartOfTheFilter) {
  const auto filter = filter_of({{"status", "rejected"},
                                 {"confidence", "doubtful"},
                                 {"reason", "polarity:多/少"},
                                 {"iteration", "3"},
                                 {"question", "9223372036854775807"},
                                 {"risk", "0.01"},
                                 {"similarity", "80-89"},
                                 {"limit", "7"}});
  ASSERT_TRUE(filter.ok());
  EXPECT_EQ(filter->statuses, std::vector{db::DeletionStatus::rejected});
  EXPECT_EQ(filter->confidence, refine::Confidence::doubtful);
  EXPECT_EQ(filter->reason, "polarity:多/少");
  EXPECT_EQ(filter->iteration, 3);
  EXPECT_EQ(filter->question, 9223372036854775807);
  EXPECT_EQ(filter->max_risk, refine::Risk(100));
  EXPECT_EQ(filter->min_similarity, 80);
  EXPECT_EQ(filter->max_similarity, 89);
}

TEST(Query, RefusesWhatMakesNoSense) {
  for (const auto& [name, value] : Parameters{{"status", "open"},
                                              {"confidence", "sure"},
                                              {"risk", "-0.1"},
                                              {"iteration", "0"},
                                              {"iteration", "1x"},
                                              {"iteration", "-1"},
                                              {"question", "9223372036854775808"},
                                              {"similarity", "80"},
                                              {"similarity", "90-80"},
                                              {"similarity", "80-101"},
                                              {"similarity", "-5-10"}}) {
    const auto filter = filter_of({{name, value}});
    ASSERT_FALSE(filter.ok()) << name << '=' << value;
    EXPECT_EQ(filter.error().code, ErrorCode::usage);
  }
}

TEST(Query, BeginsBehindAPlace) {
  const auto place = place_of({{"after", "-123-12-34"}}, "after");
  EXPECT_EQ(place->key, -123);
  EXPECT_EQ(place->keeper, 12);
  EXPECT_EQ(place->question, 34);
  EXPECT_EQ(place_of({}, "after")->key, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(place_of({}, "after")->keeper, 0);
  for (const char* value :
       {"12", "5", "5-", "5-12", "5-12-", "5--12", "-", "--1-2", "0.5-1-2", "a-1-2", "5-1-2-3"}) {
    EXPECT_FALSE(place_of({{"after", value}}, "after").ok()) << value;
  }
}

TEST(Query, NamesTheOrder) {
  EXPECT_EQ(*order_of({}), db::QueueOrder::risk);
  EXPECT_EQ(*order_of({{"order", "keeper"}}), db::QueueOrder::keeper);
  EXPECT_EQ(*order_of({{"order", "length"}}), db::QueueOrder::length);
  EXPECT_FALSE(order_of({{"order", "question"}}).ok());
}

}  // namespace
}  // namespace qdedup::page
