// Classes through iterations and decisions: who joins which, who leaves, and what the history says.

#include "db/classes.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/class_updater.h"
#include "db/decisions.h"
#include "db/iterations.h"
#include "db/verified_pairs.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Pair {
  QuestionId question;
  QuestionId keeper;
};

class ClassesTest : public testing::Test {
 protected:
  // An iteration that lists and re-points, and finds further duplicates of what it lists.
  void iterate(const std::vector<Pair>& listed, const std::vector<Pair>& further = {},
               const std::vector<Pair>& repointed = {}, const std::vector<LostPair>& lost = {}) {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.record.finished_at = "2026-11-20T03:00:00Z";
    for (const Pair& pair : listed) draft.outcome.deletions.push_back(new_deletion(pair));
    for (const Pair& pair : further) draft.outcome.further.push_back(new_deletion(pair));
    for (const Pair& pair : repointed) draft.outcome.repointed.push_back(new_deletion(pair));
    draft.lost = lost;
    ASSERT_TRUE(Iterations(store_).commit(draft, 5).ok());
    expect_no_breach();
  }

  // On the newest deletion of the question.
  void decide(QuestionId question, Decision decision) {
    const DecisionRequest request{(*Deletions(store_).find_newest(question))->id, decision, ""};
    const auto report = Decisions(store_).take({&request, 1}, {"ann", "2026-11-20T10:00:00Z"},
                                               OnRefusal::change_nothing, false);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->changed_total(), 1U);
    expect_no_breach();
  }

  // "5 with 3 in 2": compared with 3; of class 2.
  std::vector<std::string> classes() {
    std::vector<std::string> all;
    ClassCursor rows = must(Classes(store_).members(ClassOrder::representative));
    while (const auto row = must(rows.next())) {
      all.push_back(std::to_string(row->question) + " with " + std::to_string(row->compared_with) + " in " +
                    std::to_string(row->representative));
    }
    return all;
  }

  // "5: 2 to 3, why", of the class's questions.
  std::vector<std::string> history(QuestionId representative) {
    const auto shown = [](const std::optional<QuestionId>& id) { return id ? std::to_string(*id) : "none"; };
    std::vector<std::string> all;
    const std::vector<ClassChange> changes = must(Classes(store_).changes_of(representative));
    for (const ClassChange& change : changes) {
      all.push_back(std::to_string(change.question) + ": " + shown(change.from) + " to " + shown(change.to) +
                    ", " + change.reason);
    }
    return all;
  }

  void expect_no_breach() {
    const std::vector<Breach> breaches = must(Classes(store_).breaches());
    for (const Breach& breach : breaches) ADD_FAILURE() << breach.kind << ' ' << breach.question;
  }

  std::string query(const std::string& sql) const { return SqliteFile(state_.store_path()).query(sql); }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_{must(Store::open(state_, Access::read_write))};

 private:
  static refine::AnnotatedDeletion new_deletion(const Pair& pair) {
    return {pair.question, pair.keeper, 1, 5, refine::Confidence::safe, {}, refine::Risk(100), 11, 22};
  }
};

TEST_F(ClassesTest, WhatIsListedJoinsTheClassOfItsKeeper) {
  iterate({{5, 2}, {9, 2}, {12, 8}});
  EXPECT_THAT(classes(), ElementsAre("5 with 2 in 2", "9 with 2 in 2", "12 with 8 in 8"));
  EXPECT_THAT(history(2), ElementsAre("5: none to 2, listed", "9: none to 2, listed"));
  EXPECT_EQ(*Classes(store_).representative_of(9), 2);
  EXPECT_EQ(*Classes(store_).representative_of(2), 2);
  EXPECT_EQ(*Classes(store_).count(), 2U);
}

TEST_F(ClassesTest, OfSeveralTheLargestIsJoined) {
  iterate({{10, 3}, {11, 3}, {12, 1}});
  iterate({{20, 1}}, {{20, 3}});
  EXPECT_THAT(classes(), ElementsAre("12 with 1 in 1", "10 with 3 in 3", "11 with 3 in 3", "20 with 3 in 3"));
}

TEST_F(ClassesTest, OfEqualOnesTheOldestIsJoined) {
  iterate({{10, 3}});
  iterate({{11, 1}});
  iterate({{20, 1}}, {{20, 3}});
  EXPECT_THAT(classes(), ElementsAre("11 with 1 in 1", "10 with 3 in 3", "20 with 3 in 3"));
}

TEST_F(ClassesTest, OfOnesAsOldTheSmallestIsJoined) {
  iterate({{10, 3}, {11, 1}});
  iterate({{20, 1}}, {{20, 3}});
  EXPECT_EQ(*Classes(store_).representative_of(20), 1);
}

TEST_F(ClassesTest, QuestionsJoinFromTheSmallestOn) {
  iterate({{10, 1}, {20, 1}, {21, 3}, {22, 3}, {30, 1}}, {{20, 3}, {30, 3}});
  EXPECT_EQ(*Classes(store_).representative_of(20), 1);
  EXPECT_EQ(*Classes(store_).representative_of(30), 1);
}

TEST_F(ClassesTest, WhatIsRejectedLeaves) {
  iterate({{5, 2}, {9, 2}});
  decide(9, Decision::reject);
  EXPECT_THAT(classes(), ElementsAre("5 with 2 in 2"));
  EXPECT_THAT(history(2),
              ElementsAre("5: none to 2, listed", "9: none to 2, listed", "9: 2 to none, reject"));
  decide(9, Decision::reset);
  EXPECT_THAT(classes(), ElementsAre("5 with 2 in 2", "9 with 2 in 2"));
  EXPECT_EQ(history(2).back(), "9: none to 2, reset");
  const auto changes = must(Classes(store_).changes_of(2));
  EXPECT_EQ(changes.back().at, "2026-11-20T10:00:00Z");
  EXPECT_EQ(changes.back().decided_by, "ann");
  EXPECT_EQ(changes.front().at, "2026-11-20T03:00:00Z");
  EXPECT_EQ(changes.front().decided_by, "");
}

TEST_F(ClassesTest, OtherDecisionsChangeNothing) {
  iterate({{5, 2}});
  decide(5, Decision::approve);
  decide(5, Decision::apply);
  decide(5, Decision::reset);
  EXPECT_THAT(history(2), ElementsAre("5: none to 2, listed"));
}

TEST_F(ClassesTest, AnotherPairHoldsWhatIsRejected) {
  iterate({{5, 2}, {9, 2}}, {{9, 3}});
  EXPECT_EQ(*Classes(store_).representative_of(9), 2);
  decide(9, Decision::reject);
  EXPECT_THAT(classes(), ElementsAre("5 with 2 in 2", "9 with 3 in 3"));
  EXPECT_EQ(history(3).back(), "9: 2 to 3, reject");
  decide(9, Decision::reset);
  EXPECT_EQ(*Classes(store_).representative_of(9), 3) << "the pair that holds it is still there";
}

TEST_F(ClassesTest, AClassJoinsThatOfItsRepresentativesKeeper) {
  iterate({{5, 2}, {9, 4}, {11, 4}});
  iterate({{4, 1}}, {{4, 2}}, {{9, 1}, {11, 1}});
  EXPECT_THAT(classes(), ElementsAre("4 with 1 in 1", "9 with 1 in 1", "11 with 1 in 1", "5 with 2 in 2"));
  EXPECT_THAT(history(1), ElementsAre("9: none to 4, listed", "11: none to 4, listed", "4: none to 1, listed",
                                      "9: 4 to 1, followed", "11: 4 to 1, followed"));
}

TEST_F(ClassesTest, WhatHangsOnAQuestionFollowsIt) {
  iterate({{10, 4}, {11, 4}, {12, 3}}, {{12, 4}});
  iterate({{4, 1}}, {}, {{10, 1}, {11, 1}});
  EXPECT_THAT(classes(), ElementsAre("4 with 1 in 1", "10 with 1 in 1", "11 with 1 in 1", "12 with 4 in 1"));
  decide(4, Decision::reject);
  EXPECT_THAT(classes(), ElementsAre("10 with 1 in 1", "11 with 1 in 1", "12 with 4 in 4"));
  EXPECT_EQ(history(4).back(), "12: 1 to 4, followed");
}

TEST_F(ClassesTest, WhatIsWithdrawnLeavesOrIsHeldByAnotherPair) {
  iterate({{5, 2}, {9, 2}}, {{9, 3}});
  const std::vector<Withdrawal> withdrawals = {{2, "keeper-gone"}, {1, "keeper-gone"}};
  ASSERT_TRUE(Decisions(store_).withdraw(withdrawals, {}, "2026-11-21T00:00:00Z").ok());
  EXPECT_THAT(classes(), ElementsAre("9 with 3 in 3"));
  EXPECT_THAT(history(2), ElementsAre("5: none to 2, listed", "9: none to 2, listed",
                                      "5: 2 to none, keeper-gone", "9: 2 to 3, keeper-gone"));
  expect_no_breach();
}

TEST_F(ClassesTest, APairThatIsLostHoldsNothing) {
  iterate({{10, 3}, {11, 3}});
  iterate({{20, 1}}, {{20, 3}});
  iterate({}, {}, {}, {{20, 3, "text-changed"}});
  EXPECT_EQ(*Classes(store_).representative_of(20), 1);
  EXPECT_EQ(history(3).back(), "20: 3 to 1, text-changed");
}

TEST_F(ClassesTest, PairsAreLostBetweenIterationsToo) {
  iterate({{20, 1}}, {{20, 3}});
  decide(20, Decision::reject);
  EXPECT_THAT(classes(), ElementsAre("20 with 3 in 3"));
  const LostPair lost{20, 3, "question-gone"};
  ASSERT_TRUE(VerifiedPairs(store_).lose({&lost, 1}).ok());
  EXPECT_THAT(classes(), IsEmpty());
  expect_no_breach();
}

TEST_F(ClassesTest, AVerifiedPairThatIsListedIsTheReviewersToDecide) {
  iterate({{20, 1}}, {{20, 3}});
  decide(20, Decision::reject);
  iterate({{20, 3}});
  EXPECT_EQ(query("SELECT count(*) FROM verified_pair"), "0");
  decide(20, Decision::reject);
  EXPECT_THAT(classes(), IsEmpty());
}

TEST_F(ClassesTest, ATrialChangesNone) {
  iterate({{5, 2}});
  const DecisionRequest request{1, Decision::reject, ""};
  ASSERT_TRUE(Decisions(store_).take({&request, 1}, {"ann", ""}, OnRefusal::change_nothing, true).ok());
  EXPECT_THAT(classes(), ElementsAre("5 with 2 in 2"));
}

TEST_F(ClassesTest, HistoryIsAppendOnly) {
  iterate({{5, 2}});
  EXPECT_THAT(query("UPDATE class_change SET reason = ''"), testing::HasSubstr("never changed"));
  EXPECT_THAT(query("DELETE FROM class_change"), testing::HasSubstr("never removed"));
}

TEST_F(ClassesTest, BreachesAreFound) {
  const struct {
    const char* damage;
    const char* kind;
  } cases[] = {
      {"UPDATE class_member SET held_by = 3 WHERE question_id = 5", "class-unheld"},
      {"UPDATE class_member SET representative = 1 WHERE question_id = 5", "class-broken"},
      {"DELETE FROM class_member WHERE question_id = 5", "class-missing"},
      {"INSERT INTO class_change (iteration_id, question_id, new_representative, reason) "
       "VALUES (1, 9, 2, 'listed')",
       "class-history"},
  };
  iterate({{5, 2}, {9, 2}});
  for (const auto& each : cases) {
    const std::string damage = each.damage;
    SqliteFile(state_.store_path()).query("CREATE TABLE kept AS SELECT * FROM class_member");
    EXPECT_EQ(query(damage), "");
    std::vector<std::string> kinds;
    const std::vector<Breach> breaches = must(Classes(store_).breaches());
    for (const Breach& breach : breaches) kinds.push_back(breach.kind);
    EXPECT_THAT(kinds, testing::Contains(each.kind)) << damage;
    query("DELETE FROM class_member; INSERT INTO class_member SELECT * FROM kept; DROP TABLE kept");
  }
}

}  // namespace
}  // namespace qdedup::db
