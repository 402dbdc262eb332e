#include "db/deletions.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

class DeletionsTest : public testing::Test {
 protected:
  DeletionsTest() : store_(must(Store::open(state_, Access::read_write))), deletions_(store_) {
    SqliteFile file(state_.store_path());
    for (const char* id : {"1", "2"}) {
      file.query(std::string("INSERT INTO iteration VALUES (") + id +
                 ",'logs','','','','','',0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,'','')");
    }
    EXPECT_EQ(file.query("INSERT INTO deletion VALUES "
                         "(1, 1, 9, 5, 1, 6, 'safe',     'filler',   100,  'pending',   1, 2, '', 0),"
                         "(2, 1, 7, 5, 2, 6, 'doubtful', 'negation', 5000, 'rejected',  3, 4, 'no', 0),"
                         "(3, 2, 7, 5, 2, 6, 'doubtful', 'negation', 9000, 'withdrawn', 5, 6, '', 0),"
                         "(4, 2, 8, 5, 0, 6, 'safe',     '',         0,    'approved',  7, 8, '', 0),"
                         "(5, 2, 6, 5, 0, 6, 'safe',     '',         100,  'applied',   9, 10, '', 0)"),
              "");
  }

  // "iteration:question" of each row.
  static std::string all(Result<DeletionCursor> rows) {
    std::string text;
    while (true) {
      const auto row = rows->next();
      EXPECT_TRUE(row.ok());
      if (!row.ok() || !row->has_value()) return text;
      text += (text.empty() ? "" : " ") + std::to_string((*row)->iteration) + ":" +
              std::to_string((*row)->question);
    }
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_;
  Deletions deletions_;
};

TEST_F(DeletionsTest, ComeByQuestion) { EXPECT_EQ(all(deletions_.select({})), "2:6 1:7 2:7 2:8 1:9"); }

TEST_F(DeletionsTest, OfOneIteration) { EXPECT_EQ(all(deletions_.select({.iteration = 1})), "1:7 1:9"); }

TEST_F(DeletionsTest, OfSomeStatuses) {
  EXPECT_EQ(all(deletions_.select({.statuses = {DeletionStatus::approved, DeletionStatus::pending}})),
            "2:8 1:9");
}

TEST_F(DeletionsTest, OfOneConfidence) {
  EXPECT_EQ(all(deletions_.select({.iteration = 2, .confidence = refine::Confidence::safe})), "2:6 2:8");
  EXPECT_EQ(all(deletions_.select({.max_risk = refine::Risk(5000)})), "2:6 1:7 2:8 1:9");
  EXPECT_EQ(all(deletions_.select({.max_risk = refine::Risk(0)})), "2:8");
}

TEST_F(DeletionsTest, OfOneReason) {
  SqliteFile(state_.store_path()).query("UPDATE deletion SET reasons = 'unit;polarity:多/少' WHERE id = 4");
  EXPECT_EQ(all(deletions_.select({.reason = "negation"})), "1:7 2:7");
  EXPECT_EQ(all(deletions_.select({.reason = "polarity"})), "2:8");
  EXPECT_EQ(all(deletions_.select({.reason = "polarity:多/少"})), "2:8");
  EXPECT_EQ(all(deletions_.select({.reason = "unit"})), "2:8");
  EXPECT_EQ(all(deletions_.select({.reason = "uni"})), "");
}

TEST_F(DeletionsTest, FromASimilarityOn) {
  EXPECT_EQ(all(deletions_.select({.min_similarity = 83})), "2:6 2:8 1:9");
  EXPECT_EQ(all(deletions_.select({.min_similarity = 84})), "2:6 2:8");
}

TEST_F(DeletionsTest, WhatAnIterationListedIsFound) {
  EXPECT_EQ((*deletions_.find_listed(1, 7))->id, 2);
  EXPECT_FALSE(deletions_.find_listed(1, 8)->has_value());
  EXPECT_EQ((*deletions_.find_newest(7))->id, 3);
  EXPECT_FALSE(deletions_.find_newest(5)->has_value());
}

TEST_F(DeletionsTest, OpenOnesArePendingApprovedOrApplied) {
  EXPECT_EQ(all(deletions_.open()), "2:6 2:8 1:9");
}

TEST_F(DeletionsTest, Rejected) {
  EXPECT_EQ(all(deletions_.select({.statuses = {DeletionStatus::rejected}})), "1:7");
}

TEST_F(DeletionsTest, TheNewestOfAPairIsFound) {
  const auto row = deletions_.find(7, 5);
  ASSERT_TRUE(row.ok() && row->has_value());
  EXPECT_EQ((*row)->iteration, 2);
  EXPECT_EQ((*row)->status, DeletionStatus::withdrawn);
  EXPECT_EQ((*row)->distance, 2U);
  EXPECT_EQ((*row)->length, 6U);
  EXPECT_EQ((*row)->confidence, refine::Confidence::doubtful);
  EXPECT_EQ((*row)->risk, refine::Risk(9000));
  EXPECT_EQ((*row)->reasons.text(), "negation");
  EXPECT_EQ((*row)->question_hash, 5U);
  EXPECT_EQ((*row)->keep_hash, 6U);
  EXPECT_FALSE(deletions_.find(5, 7)->has_value());
}

// Not one by one: daemons are asked for these numbers all day.
TEST_F(DeletionsTest, AreCountedByStatusAsTallied) {
  SqliteFile(state_.store_path())
      .query(
          "INSERT INTO deletion_tally VALUES ('pending', 1, 'safe', '', 80, 10, 3), "
          "('pending', 2, 'safe', '', 90, 10, 4), ('applied', 2, 'safe', '', 90, 10, 1)");
  EXPECT_EQ(*deletions_.count_by_status(), (std::map<DeletionStatus, std::uint64_t>{
                                               {DeletionStatus::applied, 1}, {DeletionStatus::pending, 7}}));
  EXPECT_EQ(*deletions_.count_open(), 3U);
}

TEST(WholeSimilarity, RoundsDown) {
  constexpr std::uint64_t greatest = UINT64_MAX;
  EXPECT_EQ(whole_similarity(3, 3), 0);
  EXPECT_EQ(whole_similarity(1, 3), 66);
  EXPECT_EQ(whole_similarity(21, 100), 79);
  EXPECT_EQ(whole_similarity(201, 1000), 79);
  EXPECT_EQ(whole_similarity(2, 10), 80);
  EXPECT_EQ(whole_similarity(1, greatest), 99);
  EXPECT_EQ(whole_similarity(0, greatest), 100);
  EXPECT_EQ(whole_similarity(0, 0), 100);
  EXPECT_EQ(whole_similarity(7, 5), 0);
}

}  // namespace
}  // namespace qdedup::db
