#include "iteration/reconsidering.h"

#include <string>

#include <gtest/gtest.h>

#include "db/text_hash.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::iteration {
namespace {

class Reconsidering : public testing::Test {
 protected:
  Reconsidering() { sample_.put({{1, "甲"}, {5, "甲"}, {9, "甲"}}); }

  // Lists 5 and 9 for deletion in favour of 1, as an iteration over the texts of the bank does.
  void list(const std::string& status = "pending") {
    db::IterationDraft draft;
    draft.record.kind = "logs";
    const std::uint64_t hash = db::text_hash("甲");
    draft.deletions = {{5, 1, 0, 1, "safe", "", hash, hash}, {9, 1, 0, 1, "safe", "", hash, hash}};
    must(sample_.writer.write([&](db::Store& store) { return db::Iterations(store).commit(draft, 5); }));
    SqliteFile(sample_.state.store_path()).query("UPDATE deletion SET status = '" + status + "'");
  }

  Reconsidered reconsidered() {
    db::Deletions deletions(sample_.store);
    return must(reconsider(deletions, sample_.bank));
  }

  SampleState sample_;
};

TEST_F(Reconsidering, UnchangedDeletionsHold) {
  list();
  const Reconsidered result = reconsidered();
  EXPECT_EQ(result.open, (std::vector<refine::Deletion>{{5, 1}, {9, 1}}));
  EXPECT_TRUE(result.withdrawn.empty());
  EXPECT_TRUE(result.to_decide.empty());
}

TEST_F(Reconsidering, AChangedQuestionIsDecidedAnew) {
  for (const char* status : {"pending", "approved", "applied"}) {
    list(status);
    sample_.put({{5, "乙"}});
    const Reconsidered result = reconsidered();
    EXPECT_EQ(result.open, (std::vector<refine::Deletion>{{9, 1}})) << status;
    ASSERT_EQ(result.withdrawn.size(), 1U);
    EXPECT_EQ(result.withdrawn[0].deletion_id, 1);
    EXPECT_EQ(result.withdrawn[0].reason, "text-changed");
    EXPECT_EQ(result.to_decide, (std::vector<std::vector<QuestionId>>{{1, 5}}));
    SqliteFile(sample_.state.store_path()).query("DELETE FROM deletion; DELETE FROM iteration");
    sample_.put({{5, "甲"}});
  }
}

TEST_F(Reconsidering, AChangedKeeperBringsAllItsQuestionsBack) {
  list();
  sample_.put({{1, "乙"}});
  const Reconsidered result = reconsidered();
  EXPECT_TRUE(result.open.empty());
  EXPECT_EQ(result.withdrawn.size(), 2U);
  EXPECT_EQ(result.to_decide, (std::vector<std::vector<QuestionId>>{{1, 5, 9}}));
}

TEST_F(Reconsidering, AKeeperThatLeftTakesPendingAndApprovedWithIt) {
  for (const char* status : {"pending", "approved"}) {
    list(status);
    sample_.remove(1);
    const Reconsidered result = reconsidered();
    EXPECT_TRUE(result.open.empty()) << status;
    ASSERT_EQ(result.withdrawn.size(), 2U);
    EXPECT_EQ(result.withdrawn[0].reason, "keeper-gone");
    EXPECT_TRUE(result.to_decide.empty());
    SqliteFile(sample_.state.store_path()).query("DELETE FROM deletion; DELETE FROM iteration");
    sample_.put({{1, "甲"}});
  }
}

TEST_F(Reconsidering, WhatWasAppliedStaysWhenItsKeeperLeaves) {
  list("applied");
  sample_.remove(1);
  EXPECT_EQ(reconsidered().open.size(), 2U);
}

TEST_F(Reconsidering, WhatWasAppliedIsDecidedAnewWhenItsTextChanges) {
  list("applied");
  sample_.remove(1);
  sample_.put({{5, "乙"}});
  const Reconsidered result = reconsidered();
  EXPECT_EQ(result.open, (std::vector<refine::Deletion>{{9, 1}}));
  EXPECT_EQ(result.withdrawn.size(), 1U);
}

TEST_F(Reconsidering, AQuestionThatLeftKeepsItsDeletion) {
  list();
  sample_.remove(5);
  EXPECT_EQ(reconsidered().open.size(), 2U);
}

TEST_F(Reconsidering, RejectionsAreRememberedWhileTheTextsAreTheSame) {
  list("rejected");
  const Reconsidered result = reconsidered();
  ASSERT_EQ(result.rejected.size(), 2U);
  EXPECT_EQ(result.rejected[0].question, 5);
  EXPECT_EQ(result.rejected[0].keeper, 1);
  EXPECT_TRUE(result.open.empty());
}

TEST_F(Reconsidering, ARejectionOfAnotherTextIsDecidedAnew) {
  list("rejected");
  sample_.put({{9, "乙"}});
  const Reconsidered result = reconsidered();
  EXPECT_EQ(result.rejected.size(), 1U);
  ASSERT_EQ(result.withdrawn.size(), 1U);
  EXPECT_EQ(result.withdrawn[0].deletion_id, 2);
  EXPECT_EQ(result.to_decide, (std::vector<std::vector<QuestionId>>{{1, 9}}));
}

}  // namespace
}  // namespace qdedup::iteration
