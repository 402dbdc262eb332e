#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "db/iterations.h"
#include "iteration/revalidation.h"
#include "refine/parts.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::iteration {
namespace {

// 9 is listed in favour of 1, and passed the test with 5 as well.
class StalePairs : public testing::Test {
 protected:
  StalePairs() {
    sample_.put({{1, "甲"}, {5, "乙"}, {9, "丙"}});
    db::IterationDraft draft;
    draft.record.kind = "logs";
    draft.outcome.deletions = {pair(9, "丙", 1, "甲")};
    draft.outcome.further = {pair(9, "丙", 5, "乙")};
    must(sample_.writer.write([&](db::Store& store) { return db::Iterations(store).commit(draft, 5); }));
  }

  static refine::AnnotatedDeletion pair(QuestionId question, const std::string& text, QuestionId keeper,
                                        const std::string& keeper_text) {
    return {question,
            keeper,
            0,
            1,
            refine::Confidence::safe,
            {},
            refine::Risk(100),
            refine::text_hash(text),
            refine::text_hash(keeper_text)};
  }

  void set_status(const std::string& status) {
    SqliteFile(sample_.state.store_path()).query("UPDATE deletion SET status = '" + status + "'");
  }

  // "question>keeper reason" of each, where these deletions are open and hold.
  std::string stale(const std::vector<refine::Deletion>& open) {
    const engine::PresentText present = present_in(sample_.bank);
    engine::ListedPairs listed;
    listed.verified = must(read_pairs(sample_.store)).pairs.verified;
    for (const refine::Deletion& pair : open) {
      const refine::PairHashes hashes = {must(present(pair.question)).value_or(0),
                                         must(present(pair.keeper)).value_or(0)};
      listed.open.push_back({1, pair.question, pair.keeper, hashes, true});
    }
    std::string all;
    for (const auto& [question, keeper, reason] : must(engine::revalidate(listed, present)).lost)
      all += std::to_string(question) + '>' + std::to_string(keeper) + ' ' + reason + '\n';
    return all;
  }

  const std::vector<refine::Deletion> open_ = {{7, 2}, {9, 1}};
  SampleState sample_;
};

TEST_F(StalePairs, AreNoneWhileTheTextsStay) {
  EXPECT_EQ(stale(open_), "");
  EXPECT_EQ(stale({}), "");  // rejected, say
}

TEST_F(StalePairs, AreThoseOfWhichATextChanged) {
  sample_.put({{1, "丁"}});  // of the other pair
  EXPECT_EQ(stale(open_), "");
  sample_.put({{9, "丁"}});
  EXPECT_EQ(stale(open_), "9>5 text-changed\n");
  sample_.put({{9, "丙"}, {5, "丁"}});
  EXPECT_EQ(stale(open_), "9>5 text-changed\n");
  sample_.put({{5, "乙"}});
  EXPECT_EQ(stale(open_), "");
}

TEST_F(StalePairs, AreThoseWhoseKeptQuestionLeft) {
  sample_.remove(5);
  EXPECT_EQ(stale(open_), "9>5 keeper-gone\n");
  sample_.remove(9);
  EXPECT_EQ(stale(open_), "9>5 keeper-gone\n");
}

// What an open deletion takes out of the bank stays in its class.
TEST_F(StalePairs, AreThoseWhoseQuestionLeftWithoutAnOpenDeletion) {
  sample_.remove(9);
  EXPECT_EQ(stale(open_), "");
  EXPECT_EQ(stale({{7, 2}, {10, 1}}), "9>5 question-gone\n");
}

TEST_F(StalePairs, OutliveTheirQuestionWhereItsDeletionWasApplied) {
  set_status("applied");
  sample_.remove(9);
  sample_.iterate();
  EXPECT_EQ(SqliteFile(sample_.state.store_path()).query("SELECT keep_id FROM verified_pair"), "5");
  set_status("rejected");
  sample_.iterate();
  EXPECT_EQ(SqliteFile(sample_.state.store_path()).query("SELECT keep_id FROM verified_pair"), "");
}

}  // namespace
}  // namespace qdedup::iteration
