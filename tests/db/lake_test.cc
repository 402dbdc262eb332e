#include "db/lake.h"

#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/iterations.h"
#include "tests/support/sample_state.h"

namespace qdedup::db {
namespace {

using testing::HasSubstr;

class Lake : public testing::Test {
 protected:
  void commit(const IterationDraft& draft) {
    must(sample_.writer.write([&](Store& store) { return Iterations(store).commit(draft, 5); }));
  }

  static IterationDraft draft_of(std::vector<BankQuestion> questions) {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.lake_questions = std::move(questions);
    return draft;
  }

  SampleState sample_;
};

TEST_F(Lake, QuestionsAreFoundWhileTheBankHereIsEmpty) {
  EXPECT_FALSE(must(sample_.bank.find(7)));
  BankQuestion question = bank_question(7, "甲", "1");
  question.original.text = "<b>甲";
  commit(draft_of({question, bank_question(8, "乙", std::nullopt)}));
  const std::optional<BankQuestion> found = must(sample_.bank.find(7));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "甲");
  EXPECT_EQ(found->answer, "1");
  EXPECT_EQ(found->original_text(), "<b>甲");
  EXPECT_EQ(found->sign_fingerprint, question.sign_fingerprint);

  IterationDraft next = draft_of({bank_question(7, "丙", std::nullopt)});
  next.gone_lake_questions = {8};
  commit(next);
  EXPECT_EQ(must(sample_.bank.find(7))->text, "丙");
  EXPECT_FALSE(must(sample_.bank.find(8)));
  must(sample_.writer.write([&](Store& store) {
    return LakeQuestions(store).update(std::vector{bank_question(8, "乙", "2")}, std::vector<QuestionId>{7});
  }));
  EXPECT_FALSE(must(sample_.bank.find(7)));
  Cursor<BankQuestion> all = must(LakeQuestions(sample_.store).all());
  EXPECT_EQ(must(all.next())->answer, "2");
  EXPECT_FALSE(must(all.next()));

  sample_.put({{9, "丁"}});  // a bank here counts alone
  EXPECT_FALSE(must(sample_.bank.find(8)));
}

TEST_F(Lake, IsKnownByItsLogsAndByItsQuestions) {
  EXPECT_FALSE(must(knows_lake(sample_.store)));
  IterationDraft draft = draft_of({});
  draft.lake_logs = {{"s3a://a", 20, "cd", 3, 3, 0, 0}};
  commit(draft);
  EXPECT_TRUE(must(knows_lake(sample_.store)));
  SampleState other;
  must(other.writer.write([](Store& store) {
    return LakeQuestions(store).update(std::vector{bank_question(8, "乙", std::nullopt)}, {});
  }));
  EXPECT_TRUE(must(knows_lake(other.store)));
}

TEST_F(Lake, AMissingBankIsMadeByAPlan) {
  const StateFolder folder((sample_.folder.path() / "restored").string());
  must(open_writable_state(folder));
  std::filesystem::remove(folder.bank_path());
  EXPECT_THAT(Bank::open(folder, Access::read_only).error().message, HasSubstr("`qdedup import` makes it"));
  StoreWriter writer = must(StoreWriter::open(folder));
  IterationDraft draft = draft_of({});
  draft.lake_logs = {{"s3a://a", 20, "cd", 3, 3, 0, 0}};
  must(writer.write([&](Store& store) { return Iterations(store).commit(draft, 5); }));
  EXPECT_THAT(Bank::open(folder, Access::read_only).error().message,
              HasSubstr("`qdedup spark plan` makes it"));
  must(open_writable_state(folder));
  must(Bank::open(folder, Access::read_only));
}

TEST_F(Lake, LogsAreKept) {
  IterationDraft draft = draft_of({});
  draft.lake_logs = {{"s3a://b", 10, "ab", 4, 2, 1, 1}, {"s3a://a", 20, "cd", 3, 3, 0, 0}};
  commit(draft);
  const std::vector<LakeLogRecord> logs = must(lake_logs(sample_.store));
  ASSERT_EQ(logs.size(), 2U);
  EXPECT_EQ(logs[0].path, "s3a://a");
  EXPECT_EQ(logs[1].content, "ab");
  EXPECT_EQ(logs[1].rejected, 1U);
}

}  // namespace
}  // namespace qdedup::db
