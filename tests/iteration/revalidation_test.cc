#include "iteration/revalidation.h"

#include <string>

#include <gtest/gtest.h>

#include "refine/parts.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::iteration {
namespace {

class Revalidation : public testing::Test {
 protected:
  Revalidation() { sample_.put({{1, "甲"}, {5, "甲"}, {9, "甲"}}); }

  // Lists 5 and 9 for deletion in favour of 1, as an iteration over the texts of the bank does.
  void list(const std::string& status = "pending") {
    db::IterationDraft draft;
    draft.record.kind = "logs";
    const std::uint64_t hash = refine::text_hash("甲");
    draft.outcome.deletions = {{5, 1, 0, 1, refine::Confidence::safe, {}, {}, hash, hash},
                               {9, 1, 0, 1, refine::Confidence::safe, {}, {}, hash, hash}};
    must(sample_.writer.write([&](db::Store& store) { return db::Iterations(store).commit(draft, 5); }));
    SqliteFile(sample_.state.store_path()).query("UPDATE deletion SET status = '" + status + "'");
  }

  engine::Revalidated revalidated() {
    const StoredPairs stored = must(read_pairs(sample_.store));
    return must(engine::revalidate(stored.pairs, present_in(sample_.bank)));
  }

  static std::vector<refine::Deletion> open_of(const engine::Revalidated& result) {
    return {result.past.open.all().begin(), result.past.open.all().end()};
  }

  SampleState sample_;
};

TEST_F(Revalidation, UnchangedDeletionsHold) {
  list();
  const engine::Revalidated result = revalidated();
  EXPECT_EQ(open_of(result), (std::vector<refine::Deletion>{{5, 1}, {9, 1}}));
  EXPECT_TRUE(result.withdrawn.empty());
  EXPECT_TRUE(result.past.reopened.empty());
}

TEST_F(Revalidation, AChangedQuestionIsDecidedAnew) {
  for (const char* status : {"pending", "approved", "applied"}) {
    list(status);
    sample_.put({{5, "乙"}});
    const engine::Revalidated result = revalidated();
    EXPECT_EQ(open_of(result), (std::vector<refine::Deletion>{{9, 1}})) << status;
    ASSERT_EQ(result.withdrawn.size(), 1U);
    EXPECT_EQ(result.withdrawn[0].deletion_id, 1);
    EXPECT_EQ(result.withdrawn[0].reason, "text-changed");
    EXPECT_EQ(result.past.reopened, (std::vector<std::vector<QuestionId>>{{1, 5}}));
    SqliteFile(sample_.state.store_path()).query("DELETE FROM deletion; DELETE FROM iteration");
    sample_.put({{5, "甲"}});
  }
}

TEST_F(Revalidation, AChangedKeeperBringsAllItsQuestionsBack) {
  list();
  sample_.put({{1, "乙"}});
  const engine::Revalidated result = revalidated();
  EXPECT_TRUE(open_of(result).empty());
  EXPECT_EQ(result.withdrawn.size(), 2U);
  EXPECT_EQ(result.past.reopened, (std::vector<std::vector<QuestionId>>{{1, 5, 9}}));
}

// As those do whose deletion was carried out.
TEST_F(Revalidation, QuestionsThatLeftAreNotDecidedAnew) {
  list("applied");
  sample_.put({{1, "乙"}});
  sample_.remove(5);
  EXPECT_EQ(revalidated().past.reopened, (std::vector<std::vector<QuestionId>>{{1, 9}}));
  sample_.remove(9);
  const engine::Revalidated result = revalidated();
  EXPECT_EQ(result.withdrawn.size(), 2U);
  EXPECT_TRUE(result.past.reopened.empty());
}

TEST_F(Revalidation, AKeeperThatLeftTakesPendingAndApprovedWithIt) {
  for (const char* status : {"pending", "approved"}) {
    list(status);
    sample_.remove(1);
    const engine::Revalidated result = revalidated();
    EXPECT_TRUE(open_of(result).empty()) << status;
    ASSERT_EQ(result.withdrawn.size(), 2U);
    EXPECT_EQ(result.withdrawn[0].reason, "keeper-gone");
    EXPECT_TRUE(result.past.reopened.empty());
    SqliteFile(sample_.state.store_path()).query("DELETE FROM deletion; DELETE FROM iteration");
    sample_.put({{1, "甲"}});
  }
}

TEST_F(Revalidation, WhatWasAppliedStaysWhenItsKeeperLeaves) {
  list("applied");
  sample_.remove(1);
  EXPECT_EQ(open_of(revalidated()).size(), 2U);
}

TEST_F(Revalidation, WhatWasAppliedIsDecidedAnewWhenItsTextChanges) {
  list("applied");
  sample_.remove(1);
  sample_.put({{5, "乙"}});
  const engine::Revalidated result = revalidated();
  EXPECT_EQ(open_of(result), (std::vector<refine::Deletion>{{9, 1}}));
  EXPECT_EQ(result.withdrawn.size(), 1U);
}

TEST_F(Revalidation, AQuestionThatLeftKeepsItsDeletion) {
  list();
  sample_.remove(5);
  EXPECT_EQ(open_of(revalidated()).size(), 2U);
}

TEST_F(Revalidation, RejectionsAreRememberedWhileTheTextsAreTheSame) {
  list("rejected");
  const engine::Revalidated result = revalidated();
  ASSERT_EQ(result.past.rejected.size(), 2U);
  EXPECT_EQ(result.past.rejected[0].question, 5);
  EXPECT_EQ(result.past.rejected[0].keeper, 1);
  EXPECT_TRUE(open_of(result).empty());
}

TEST_F(Revalidation, ARejectionOfAnotherTextIsDecidedAnew) {
  list("rejected");
  sample_.put({{9, "乙"}});
  const engine::Revalidated result = revalidated();
  EXPECT_EQ(result.past.rejected.size(), 1U);
  ASSERT_EQ(result.withdrawn.size(), 1U);
  EXPECT_EQ(result.withdrawn[0].deletion_id, 2);
  EXPECT_EQ(result.past.reopened, (std::vector<std::vector<QuestionId>>{{1, 9}}));
}

}  // namespace
}  // namespace qdedup::iteration
