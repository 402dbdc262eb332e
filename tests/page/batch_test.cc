#include "page/batch.h"

#include <gtest/gtest.h>

#include "tests/page/reviewed_state.h"

namespace qdedup::page {
namespace {

class Batch : public testing::Test {
 protected:
  Answer approve(const std::string& filter, int count) {
    const std::string body = R"({"filter":)" + filter + R"(,"count":)" + std::to_string(count) + "}";
    return approve_batch(body, state_.folder(), state_.writer(), by("ann"), [] {});
  }

  ReviewedState state_;
  std::int64_t iteration_ = state_.list({{5, 2}, {9, 2}, {12, 7}, {13, 7, "doubtful", "unit"}});
};

TEST_F(Batch, ShowsHowManyAndASample) {
  Reading reading = state_.reading();
  const nlohmann::json preview =
      json_of(preview_batch(reading, {{"confidence", "safe"}, {"sample_size", "2"}}, 1));
  EXPECT_EQ(preview["count"], 3);
  ASSERT_EQ(preview["sample"].size(), 2U);
  EXPECT_EQ(preview["sample"][0]["question"]["confidence"], "safe");
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(Batch, ApprovesWhatPassesTheFilter) {
  const Answer answer = approve(R"({"confidence":"safe"})", 3);
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(json_of(answer)["approved"], 3);
  EXPECT_EQ(state_.last_decision(12), "ann pending>approved");
  EXPECT_EQ(state_.status(13), "pending");
}

TEST_F(Batch, ChangesNothingWhenTheCountIsAnother) {
  const Answer answer = approve(R"({"confidence":"safe"})", 4);
  EXPECT_EQ(answer.status, 409U);
  EXPECT_EQ(json_of(answer)["count"], 3);
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(Batch, LeavesOutWhatDoesNotHold) {
  state_.change_text(7, "另一个问题");
  const nlohmann::json done = json_of(approve("{}", 4));
  EXPECT_EQ(done["approved"], 2);
  EXPECT_EQ(done["refused"].begin().value(), 2);
  EXPECT_EQ(state_.status(12), "pending");
}

TEST_F(Batch, IsOfPendingDeletionsOnly) {
  EXPECT_EQ(approve(R"({"status":"rejected"})", 0).status, 400U);
  EXPECT_EQ(approve(R"({"confidence":"sure"})", 0).status, 400U);
  EXPECT_EQ(approve(R"({"confidence":7})", 0).status, 400U);
  EXPECT_EQ(approve_batch("{}", state_.folder(), state_.writer(), by("ann"), [] {}).status, 400U);
}

}  // namespace
}  // namespace qdedup::page
