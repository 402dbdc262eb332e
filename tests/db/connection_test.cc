#include "db/connection.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/bank_import.h"
#include "db/fingerprints.h"
#include "db/iterations.h"
#include "db/store_writer.h"
#include "db/swept_questions.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

// Counts its turns, and the commits outside of them.
class CountingPermission final : public WritePermission {
 public:
  [[nodiscard]] std::string user() const override { return "ann"; }
  Result<std::shared_ptr<void>> take_turn() override {
    std::shared_ptr<void> turn = turn_.lock();
    if (!turn) ++turns;
    if (!turn) turn = std::make_shared<int>(turns);
    turn_ = turn;
    return turn;
  }
  [[nodiscard]] bool stands() override {
    if (turn_.expired()) ++commits_without_turn;
    return !withdrawn;
  }
  [[nodiscard]] bool has_turn() const { return !turn_.expired(); }

  int turns = 0;
  int commits_without_turn = 0;
  bool withdrawn = false;

 private:
  std::weak_ptr<void> turn_;
};

BankQuestion question_with(QuestionId id) {
  BankQuestion question;
  question.id = id;
  question.text = "text";
  return question;
}

class WritePermissionTest : public testing::Test {
 protected:
  Status note_slot() {
    return state_->store.write(
        [](Store& store) { return Slots(store).record(std::chrono::sys_seconds(), "2026-11-20T00:00:00Z"); });
  }

  Status import(QuestionId question) {
    Result<BankImport> import = BankImport::begin(state_->bank, "questions", "2026-11-20T00:00:00Z", 2);
    if (!import.ok()) return import.error();
    const std::vector<BankQuestion> questions = {question_with(question)};
    QDEDUP_TRY(import->put_all(questions, {}));
    EXPECT_TRUE(permission_->has_turn());
    return import->finish("2026-11-20T00:00:00Z");
  }

  TemporaryFolder folder_;
  StateFolder state_folder_{folder_.path().string()};
  std::shared_ptr<CountingPermission> permission_ = std::make_shared<CountingPermission>();
  std::shared_ptr<WritableState> state_ = *open_writable_state(state_folder_, permission_);
};

TEST_F(WritePermissionTest, WhatIsWrittenIsWrittenInATurn) {
  ASSERT_TRUE(note_slot().ok());
  ASSERT_TRUE(import(1).ok());
  ASSERT_TRUE(BankImport::load_at_once(state_->bank, "more", "2026-11-20T00:00:00Z",
                                       std::vector<BankQuestion>{question_with(2)})
                  .ok());
  ASSERT_TRUE(BankImport::begin(state_->bank, "x", "2026-11-20T00:00:00Z", 2)->remove(1).ok());
  SweptQuestions swept(state_->bank);
  ASSERT_TRUE(swept.begin("rules").ok());
  ASSERT_TRUE(swept.replace(0, {{{1, 11}}}).ok());
  ASSERT_TRUE(refresh_texts(state_->bank, {}, "1", [](std::uint64_t) {}).ok());
  EXPECT_EQ(permission_->commits_without_turn, 0);
  EXPECT_FALSE(permission_->has_turn());
  EXPECT_GE(permission_->turns, 10);
}

TEST_F(WritePermissionTest, WhereItWasWithdrawnNothingIsCommitted) {
  ASSERT_TRUE(note_slot().ok());
  ASSERT_TRUE(import(1).ok());
  permission_->withdrawn = true;
  for (const Status& refused : {note_slot(), import(2), SweptQuestions(state_->bank).begin("rules")}) {
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::busy);
    EXPECT_NE(refused.error().message.find("lease"), std::string::npos) << refused.error().message;
    EXPECT_FALSE(permission_->has_turn());
  }
  SqliteFile bank(state_folder_.bank_path());
  EXPECT_EQ(SqliteFile(state_folder_.store_path()).query("SELECT count(*) FROM slot"), "1");
  EXPECT_EQ(bank.query("SELECT group_concat(id) FROM question"), "1");
  EXPECT_EQ(bank.query("SELECT count(*) FROM import"), "1");
}

}  // namespace
}  // namespace qdedup::db
