#include "db/samples.h"

#include <gtest/gtest.h>

#include "db/iterations.h"
#include "tests/support/sample_state.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

class SamplesTest : public testing::Test {
 protected:
  SamplesTest() {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.outcome.deletions = {{5, 2, 1, 5, refine::Confidence::safe, {}, {}, 1, 2},
                               {9, 2, 1, 5, refine::Confidence::safe, {}, {}, 1, 2}};
    EXPECT_TRUE(Iterations(store_).commit(draft, 5).ok());
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_ = must(Store::open(state_, Access::read_write));
  Samples samples_{store_};
};

TEST_F(SamplesTest, KeepTheirPairsInOrder) {
  const std::vector<std::int64_t> drawn = {2, 1};
  ASSERT_EQ(*samples_.draw(drawn, 40, {"ann", "2026-11-20T10:00:00Z"}), 1);
  const auto pairs = *samples_.pairs(1);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].deletion_id, 2);
  EXPECT_EQ(pairs[0].keeper, 2);
  EXPECT_EQ(pairs[1].position, 2U);
  const auto all = *samples_.all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].population, 40U);
  EXPECT_EQ(all[0].size, 2U);
  EXPECT_EQ(all[0].drawn_by, "ann");
  EXPECT_TRUE(samples_.pairs(2)->empty());
}

TEST_F(SamplesTest, KnowWhoJudged) {
  const std::vector<std::int64_t> drawn = {1, 2};
  ASSERT_TRUE(samples_.draw(drawn, 2, {"ann", "then"}).ok());
  EXPECT_TRUE(*samples_.judge(1, 1, "same", {"ann", "now"}));
  EXPECT_FALSE(*samples_.judge(1, 1, "different", {"bob", "now"}));
  EXPECT_TRUE(*samples_.judge(1, 1, "different", {"ann", "now"}));
  EXPECT_EQ(samples_.judge(1, 3, "same", {"ann", "now"}).error().code, ErrorCode::no_input);
  EXPECT_EQ(samples_.judge(2, 1, "same", {"ann", "now"}).error().code, ErrorCode::no_input);
  EXPECT_FALSE(samples_.judge(1, 2, "perhaps", {"ann", "now"}).ok());
  EXPECT_EQ((*samples_.pairs(1))[0].judged_by, "ann");
  EXPECT_EQ((*samples_.all())[0].different, 1U);
  EXPECT_TRUE(*samples_.judge(1, 1, "", {"ann", "now"}));
  EXPECT_EQ((*samples_.pairs(1))[0].judged_by, "");
}

}  // namespace
}  // namespace qdedup::db
