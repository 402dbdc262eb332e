#include "db/iterations.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/deletions.h"
#include "db/evidence.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

refine::AnnotatedDeletion deletion(QuestionId question, QuestionId keeper) {
  return {question,           keeper, 1, 5, refine::Confidence::doubtful, refine::Reasons("not-assessed"),
          refine::Risk(5000), 11,     22};
}

class IterationsTest : public testing::Test {
 protected:
  IterationsTest() : store_(must(Store::open(state_, Access::read_write))), iterations_(store_) {}

  static IterationDraft draft() {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.record.started_at = "2026-11-20T03:00:00Z";
    draft.record.finished_at = "2026-11-20T03:00:12Z";
    draft.record.version = "0.1.0";
    draft.record.settings = "{}";
    draft.record.weights = "9f3a";
    return draft;
  }

  void mine(const std::string& chunk) {
    MinedStretch stretch;
    stretch.log.path = "a.log";
    stretch.totals.lines = 1;
    stretch.totals.selected = 1;
    stretch.lists = chunk;
    ASSERT_TRUE(Evidence(store_).append(stretch, "").ok());
  }

  std::string query(const std::string& sql) const { return SqliteFile(state_.store_path()).query(sql); }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_;
  Iterations iterations_;
};

TEST_F(IterationsTest, ComeBackAsTheyWereCommitted) {
  IterationDraft committed = draft();
  committed.record.counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  committed.record.cluster_sizes = {{2, 100}, {200, 1}};
  EXPECT_EQ(*iterations_.commit(committed, 5), 1);
  const auto found = iterations_.find(1);
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->counts, committed.record.counts);
  EXPECT_EQ((*found)->cluster_sizes, committed.record.cluster_sizes);
  EXPECT_EQ((*found)->started_at, "2026-11-20T03:00:00Z");
  EXPECT_EQ((*found)->finished_at, "2026-11-20T03:00:12Z");
  EXPECT_EQ((*found)->kind, "logs");
  EXPECT_EQ((*found)->version, "0.1.0");
  EXPECT_EQ((*found)->settings, "{}");
  EXPECT_EQ((*found)->weights, "9f3a");
}

TEST_F(IterationsTest, TheNewestIsFoundWithoutANumber) {
  EXPECT_FALSE(iterations_.find(std::nullopt)->has_value());
  ASSERT_TRUE(iterations_.commit(draft(), 5).ok());
  ASSERT_TRUE(iterations_.commit(draft(), 5).ok());
  EXPECT_EQ((*iterations_.find(std::nullopt))->id, 2);
  EXPECT_EQ(iterations_.all()->size(), 2U);
  EXPECT_FALSE(iterations_.find(3)->has_value());
}

TEST_F(IterationsTest, AreWithheldUntilSomebodyReleasesThem) {
  for (const bool withheld : {true, false, true}) {
    IterationDraft committed = draft();
    committed.record.withheld = withheld;
    ASSERT_TRUE(iterations_.commit(committed, 5).ok());
  }
  EXPECT_EQ(*iterations_.withheld(), (std::vector<std::int64_t>{1, 3}));
  EXPECT_TRUE(*iterations_.release(1, "ann", "2026-11-21T00:00:00Z"));
  EXPECT_EQ(*iterations_.withheld(), std::vector<std::int64_t>{3});
}

TEST_F(IterationsTest, ListPendingDeletions) {
  IterationDraft listing = draft();
  listing.outcome.deletions = {deletion(5, 2), deletion(9, 2)};
  ASSERT_TRUE(iterations_.commit(listing, 5).ok());
  EXPECT_EQ(query("SELECT question_id || '>' || keep_id || ' ' || status FROM deletion ORDER BY 1"),
            "5>2 pending,9>2 pending");
}

TEST_F(IterationsTest, ConsumeEvidenceUpToTheirLast) {
  mine("one");
  mine("two");
  mine("three");
  IterationDraft consuming = draft();
  consuming.last_evidence_id = 2;
  ASSERT_TRUE(iterations_.commit(consuming, 5).ok());
  EXPECT_EQ(query("SELECT iteration_id FROM evidence ORDER BY id"), "1,1,NULL");
  EXPECT_EQ(Evidence(store_).unconsumed()->selected, 1U);
}

TEST_F(IterationsTest, DropEvidencePastItsRetention) {
  for (int i = 1; i <= 3; ++i) {
    mine("chunk");
    IterationDraft consuming = draft();
    consuming.last_evidence_id = i;
    ASSERT_TRUE(iterations_.commit(consuming, 2).ok());
  }
  EXPECT_EQ(query("SELECT lists FROM evidence ORDER BY id"), "NULL,chunk,chunk");
}

TEST_F(IterationsTest, WithdrawWithAnAuditRow) {
  IterationDraft listing = draft();
  listing.outcome.deletions = {deletion(5, 2)};
  ASSERT_TRUE(iterations_.commit(listing, 5).ok());
  IterationDraft withdrawing = draft();
  withdrawing.withdrawn = {{1, "text-changed"}};
  withdrawing.outcome.deletions = {deletion(5, 3)};
  ASSERT_TRUE(iterations_.commit(withdrawing, 5).ok());
  EXPECT_EQ(query("SELECT status FROM deletion ORDER BY id"), "withdrawn,pending");
  EXPECT_EQ(
      query(
          "SELECT deletion_id || ' ' || decided_by || ' ' || old_status || '>' || new_status || ' ' || note "
          "FROM decision"),
      "1 qdedup pending>withdrawn text-changed");
}

TEST_F(IterationsTest, RepointWithAHistory) {
  IterationDraft listing = draft();
  listing.outcome.deletions = {deletion(9, 5)};
  ASSERT_TRUE(iterations_.commit(listing, 5).ok());
  IterationDraft repointing = draft();
  repointing.outcome.repointed = {{9, 2, 0, 6, refine::Confidence::safe, {}, refine::Risk(123), 33, 44}};
  repointing.outcome.deletions = {deletion(5, 2)};
  ASSERT_TRUE(iterations_.commit(repointing, 5).ok());
  EXPECT_EQ(
      query("SELECT question_id || '>' || keep_id || ' ' || distance || '/' || length || ' ' || confidence "
            "|| ' ' || risk FROM deletion ORDER BY id"),
      "9>2 0/6 safe 123,5>2 1/5 doubtful 5000");
  EXPECT_EQ(query("SELECT iteration_id || ': ' || old_keep_id || '>' || new_keep_id FROM repointing"),
            "2: 5>2");
}

// An approval was of the pair with the keeper of then.
struct RepointedStatus {
  const char* before;
  const char* confidence;
  refine::ApprovalPolicy policy;
  const char* after;
  const char* audit;
};

constexpr refine::ApprovalPolicy none;
constexpr refine::ApprovalPolicy all_safe{refine::Risk(refine::Risk::certain)};
constexpr refine::ApprovalPolicy little_risk{refine::Risk(100)};
constexpr refine::ApprovalPolicy less_risk{refine::Risk(99)};

class RepointedStatuses : public IterationsTest, public testing::WithParamInterface<RepointedStatus> {};

TEST_P(RepointedStatuses, HoldForTheNewPair) {
  IterationDraft listing = draft();
  listing.outcome.deletions = {deletion(9, 5)};
  ASSERT_TRUE(iterations_.commit(listing, 5).ok());
  query(std::string("UPDATE deletion SET status = '") + GetParam().before + "'");
  IterationDraft repointing = draft();
  repointing.policy = GetParam().policy;
  repointing.outcome.repointed = {
      {9, 2, 0, 6, refine::confidence_named(GetParam().confidence).value(), {}, refine::Risk(100), 33, 44}};
  ASSERT_TRUE(iterations_.commit(repointing, 5).ok());
  EXPECT_EQ(query("SELECT keep_id || ' ' || status FROM deletion"), std::string("2 ") + GetParam().after);
  EXPECT_EQ(query("SELECT decided_by || ' ' || old_status || '>' || new_status || ' ' || note FROM decision"),
            GetParam().audit);
}

INSTANTIATE_TEST_SUITE_P(
    All, RepointedStatuses,
    testing::Values(
        RepointedStatus{"approved", "doubtful", none, "pending", "qdedup approved>pending re-pointed"},
        RepointedStatus{"approved", "safe", none, "pending", "qdedup approved>pending re-pointed"},
        RepointedStatus{"approved", "doubtful", all_safe, "pending", "qdedup approved>pending re-pointed"},
        RepointedStatus{"approved", "safe", all_safe, "approved", "policy approved>approved re-pointed"},
        RepointedStatus{"approved", "safe", little_risk, "approved", "policy approved>approved re-pointed"},
        RepointedStatus{"approved", "safe", less_risk, "pending", "qdedup approved>pending re-pointed"},
        RepointedStatus{"pending", "safe", all_safe, "pending", ""},
        RepointedStatus{"applied", "doubtful", none, "applied", ""}));

TEST_F(IterationsTest, ApproveWhatThePolicyApproves) {
  IterationDraft listing = draft();
  listing.policy = {refine::Risk(100)};
  using refine::Confidence;
  using refine::Reasons;
  using refine::Risk;
  listing.outcome.deletions = {{3, 2, 0, 6, Confidence::safe, {}, Risk(100), 1, 2},
                               {4, 2, 0, 6, Confidence::safe, {}, Risk(101), 1, 2},
                               {5, 2, 0, 6, Confidence::doubtful, Reasons("unit"), Risk(1), 1, 2},
                               {6, 2, 0, 6, Confidence::doubtful, Reasons("needs-figure"), Risk(0), 1, 2},
                               {7, 2, 0, 6, Confidence::safe, {}, Risk(0), 1, 2}};
  ASSERT_TRUE(iterations_.commit(listing, 5).ok());
  EXPECT_EQ(query("SELECT question_id FROM deletion WHERE status = 'approved' ORDER BY 1"), "3,7");
  EXPECT_EQ(query("SELECT deletion_id || ' ' || decided_by || ' ' || old_status || '>' || new_status "
                  "FROM decision ORDER BY id"),
            "1 policy pending>approved,5 policy pending>approved");
}

TEST_F(IterationsTest, AreThereWholeOrNotAtAll) {
  run_triggers(store_.database());
  mine("one");
  query(
      "CREATE TRIGGER fail BEFORE INSERT ON deletion WHEN NEW.question_id = 9 "
      "BEGIN SELECT RAISE(ABORT, 'no room'); END");
  IterationDraft failing = draft();
  failing.last_evidence_id = 1;
  failing.outcome.deletions = {deletion(5, 2), deletion(9, 2)};
  const Result<std::int64_t> committed = iterations_.commit(failing, 5);
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(query("SELECT count(*) FROM iteration"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM deletion"), "0");
  EXPECT_EQ(query("SELECT count(*) FROM evidence WHERE iteration_id IS NULL"), "1");
}

using std::chrono::seconds;
using std::chrono::sys_seconds;

TEST(Slots, AreRecordedOnceEachOldestFirst) {
  const TemporaryFolder folder;
  Result<Store> store = Store::open(StateFolder(folder.path().string()), Access::read_write);
  ASSERT_TRUE(store.ok());
  Slots slots(*store);
  for (const int at : {1'800'000'000, -5, 1'800'000'000}) {
    EXPECT_TRUE(slots.record(sys_seconds(seconds(at)), "2026-11-20T00:00:00Z").ok());
  }
  const auto recorded = slots.recorded();
  ASSERT_TRUE(recorded.ok());
  EXPECT_THAT(*recorded, testing::ElementsAre(sys_seconds(seconds(-5)), sys_seconds(seconds(1'800'000'000))));
}

}  // namespace
}  // namespace qdedup::db
