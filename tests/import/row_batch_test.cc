#include "import/row_batch.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

// Rows of these ids, the first on that line.
RowBatch batch_of(const std::vector<QuestionId>& ids, std::uint64_t line) {
  RowBatch batch;
  for (const QuestionId id : ids) {
    batch.questions.push_back({id, "text " + std::to_string(line), std::nullopt, 0, {}});
    batch.lines.push_back(line++);
  }
  batch.bytes_read = 100 * line;
  return batch;
}

class HeldRowsTest : public testing::Test {
 protected:
  HeldRowsTest() {
    held_.add(batch_of({5, 1, 9}, 1));
    RowBatch second = batch_of({5, 2, 7, 1}, 4);
    second.bad_rows.push_back({8, {"bad", ""}});
    held_.add(std::move(second));
    RowBatch last = batch_of({3}, 9);
    last.error = Error{ErrorCode::data, "cut off"};
    last.is_last = true;
    held_.add(std::move(last));
  }

  HeldRows held_;
};

TEST_F(HeldRowsTest, ComeInOrderOfTheirIdsAndThenOfTheirLines) {
  std::vector<std::pair<QuestionId, std::uint64_t>> rows;
  std::vector<std::size_t> sizes;
  EXPECT_TRUE(held_.release(3, [&](RowBatch&& batch) {
    sizes.push_back(batch.questions.size());
    for (std::size_t i = 0; i < batch.questions.size(); ++i) {
      rows.emplace_back(batch.questions[i].id, batch.lines.at(i));
      EXPECT_EQ(batch.questions[i].text, "text " + std::to_string(batch.lines[i]));
    }
    return true;
  }));
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 3, 2}));
  EXPECT_EQ(rows, (decltype(rows){{1, 2}, {1, 7}, {2, 5}, {3, 9}, {5, 1}, {5, 4}, {7, 6}, {9, 3}}));
  EXPECT_TRUE(held_.empty());
  EXPECT_EQ(held_.bytes(), 0U);
}

TEST_F(HeldRowsTest, HowTheReadingEndedGoesWithTheLast) {
  std::vector<RowBatch> batches;
  held_.release(3, [&](RowBatch&& batch) {
    batches.push_back(std::move(batch));
    return true;
  });
  ASSERT_EQ(batches.size(), 3U);
  for (const RowBatch& batch : batches) {
    const bool is_last = &batch == &batches.back();
    EXPECT_EQ(batch.is_split, !is_last);
    EXPECT_EQ(batch.is_last, is_last);
    EXPECT_EQ(batch.error.has_value(), is_last);
    EXPECT_EQ(batch.bad_rows.size(), is_last ? 1U : 0U);
    EXPECT_EQ(batch.bytes_read, 1000U);
  }
}

TEST_F(HeldRowsTest, StopWhereTheyAreNotWanted) {
  for (const int wanted : {0, 2}) {
    int taken = 0;
    HeldRows held;
    held.add(batch_of({5, 4, 3, 2, 1}, 1));
    EXPECT_FALSE(held.release(2, [&](auto&&) { return taken++ < wanted; }));
    EXPECT_EQ(taken, wanted + 1);
    EXPECT_TRUE(held.empty());
  }
}

TEST(HeldRows, CountTheirBytes) {
  HeldRows held;
  EXPECT_TRUE(held.empty());
  held.add(batch_of({2, 1}, 1));
  const std::size_t small = held.bytes();
  RowBatch long_text = batch_of({3}, 3);
  long_text.questions[0].text.assign(10'000, 'x');
  held.add(std::move(long_text));
  EXPECT_GE(held.bytes(), small + 10'000U);
}

TEST(MarkupCounts, NameABoundedNumberOfUnknownThings) {
  std::map<std::string, std::uint64_t> found;
  for (int i = 0; i < 10'002; ++i) found["\\" + std::to_string(100'000 + i)] = 2;
  std::map<std::string, std::uint64_t> all;
  for (int round = 0; round < 2; ++round) count_unknown(found, all);
  EXPECT_EQ(all.size(), 10'001U);
  EXPECT_EQ(all["\\100000"], 4U);
  EXPECT_EQ(all[std::string(other_names)], 8U);
  count_unknown({{"\\100000", 1}, {std::string(10'000, 'x'), 1}}, all);
  EXPECT_EQ(all["\\100000"], 5U);
  EXPECT_EQ(all[std::string(other_names)], 9U);
}

}  // namespace
}  // namespace qdedup::import
