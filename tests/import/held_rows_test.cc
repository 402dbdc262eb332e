#include "import/held_rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
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

struct PlainRow {
  db::BankQuestion question;
  std::uint64_t line;
};

std::optional<std::string> random_bytes(std::mt19937_64& random, std::size_t longest) {
  if (random() % 3 == 0) return std::nullopt;
  return std::string(random() % (longest + 1), static_cast<char>('a' + random() % 26));
}

// One in a thousand texts is longer than the pieces of memory that rows are packed in.
PlainRow random_row(std::mt19937_64& random, std::uint64_t line) {
  PlainRow row{{.id = static_cast<QuestionId>(1 + random() % 2000), .text = "", .sketch = {}}, line};
  row.question.text = random_bytes(random, random() % 1000 == 0 ? 3'000'000 : 200).value_or("");
  row.question.answer = random_bytes(random, 20);
  row.question.original.images = random_bytes(random, 300);
  if (random() % 2 == 0) row.question.arrived_at = static_cast<std::int64_t>(random() % 3) - 1;
  return row;
}

TEST(HeldRowsTwin, AreSortedLikeByAStableSort) {
  std::mt19937_64 random(8);
  std::vector<PlainRow> expected;
  HeldRows held;
  for (int i = 0; i < 40; ++i) {
    RowBatch batch;
    for (std::size_t rows = random() % 200; rows > 0; --rows) {
      expected.push_back(random_row(random, expected.size() + 1));
      batch.questions.push_back(expected.back().question);
      batch.lines.push_back(expected.back().line);
    }
    held.add(std::move(batch));
  }
  std::ranges::stable_sort(expected, {}, [](const PlainRow& row) { return row.question.id; });
  std::size_t place = 0;
  EXPECT_TRUE(held.release(64, [&](RowBatch&& batch) {
    for (std::size_t i = 0; i < batch.questions.size(); ++i) {
      const PlainRow& twin = expected.at(place++);
      const db::BankQuestion& question = batch.questions[i];
      EXPECT_EQ(batch.lines.at(i), twin.line);
      EXPECT_EQ(question.id, twin.question.id);
      EXPECT_TRUE(question.text == twin.question.text);
      EXPECT_EQ(question.answer, twin.question.answer);
      EXPECT_EQ(question.original, twin.question.original);
      EXPECT_EQ(question.arrived_at, twin.question.arrived_at);
    }
    return true;
  }));
  EXPECT_EQ(place, expected.size());
}

}  // namespace
}  // namespace qdedup::import
