#include "review/list_summary.h"

#include <gtest/gtest.h>

#include "tests/review/sample_list.h"

namespace qdedup::review {
namespace {

DeletionEntry entry_with(std::uint64_t distance, std::uint64_t length, const char* confidence,
                         const char* status) {
  auto entry = sample_entry(2);
  entry.distance = distance;
  entry.length = length;
  entry.confidence = confidence;
  entry.status = status;
  return entry;
}

TEST(ListSummary, OfAnEmptyListIsAllZero) {
  const auto summary = summarise(stream_of({}));
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->entries, 0U);
  EXPECT_TRUE(summary->statuses.empty());
}

TEST(ListSummary, CountsByConfidenceAndStatus) {
  const auto summary =
      summarise(stream_of({entry_with(0, 5, "safe", "pending"), entry_with(0, 5, "safe", "approved"),
                           entry_with(0, 5, "doubtful", "pending")}));
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->entries, 3U);
  EXPECT_EQ(summary->with_confidence("safe"), 2U);
  EXPECT_EQ(summary->with_confidence("doubtful"), 1U);
  EXPECT_EQ(summary->with_confidence("other"), 0U);
  EXPECT_EQ(summary->with_status("pending"), 2U);
  EXPECT_EQ(summary->with_status("approved"), 1U);
  EXPECT_EQ(summary->with_status("rejected"), 0U);
}

TEST(ListSummary, SimilarityIsRoundedDown) {
  ListSummary summary;
  summary.add(entry_with(0, 0, "safe", "pending"));
  summary.add(entry_with(0, 9, "safe", "pending"));
  summary.add(entry_with(1, 100'000, "safe", "pending"));
  summary.add(entry_with(1, 5, "safe", "pending"));
  summary.add(entry_with(5, 5, "safe", "pending"));
  summary.add(entry_with(6, 5, "safe", "pending"));
  EXPECT_EQ(summary.similarity[100], 2U);
  EXPECT_EQ(summary.similarity[99], 1U);
  EXPECT_EQ(summary.similarity[80], 1U);
  EXPECT_EQ(summary.similarity[0], 2U);
}

TEST(ListSummary, ErrorOfTheStreamIsPassedOn) {
  const auto summary = summarise(broken_stream());
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.error().message, "bank: broken");
}

}  // namespace
}  // namespace qdedup::review
