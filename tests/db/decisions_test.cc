#include "db/decisions.h"

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/iterations.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

TEST(DecisionTable, IsAsTheHeaderSays) {
  const std::vector<std::string> statuses = {"pending", "approved", "rejected", "applied", "withdrawn"};
  const std::vector<std::pair<Decision, std::vector<std::string>>> table = {
      {Decision::approve, {"approved", "approved", "no", "applied", "no"}},
      {Decision::reject, {"rejected", "rejected", "rejected", "no", "no"}},
      {Decision::reset, {"pending", "pending", "pending", "pending", "no"}},
      {Decision::apply, {"no", "applied", "no", "applied", "no"}}};
  for (const auto& [decision, expected] : table) {
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const auto status = outcome(decision, deletion_status_named(statuses[i]).value());
      EXPECT_EQ(status ? name(*status) : "no", expected[i]) << name(decision) << ' ' << statuses[i];
    }
  }
}

class DecisionsTest : public testing::Test {
 protected:
  DecisionsTest() : store_(must(Store::open(state_, Access::read_write))) {
    list({{5, 2}, {9, 2}, {12, 9}}, {"pending", "pending", "rejected"});
  }

  // Lists pairs of question and keeper, in an iteration of their own.
  void list(const std::vector<std::pair<QuestionId, QuestionId>>& pairs,
            const std::vector<std::string>& statuses) {
    IterationDraft draft;
    draft.record.kind = "logs";
    for (const auto& [question, keeper] : pairs) {
      draft.outcome.deletions.push_back({question, keeper, 1, 5, refine::Confidence::safe, {}, {}, 11, 22});
    }
    const std::int64_t id = *Iterations(store_).commit(draft, 5);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      query("UPDATE deletion SET status = '" + statuses[i] + "' WHERE iteration_id = " + std::to_string(id) +
            " AND question_id = " + std::to_string(pairs[i].first));
    }
  }

  DecisionReport take(const std::vector<DecisionRequest>& requests,
                      OnRefusal on_refusal = OnRefusal::change_nothing, bool trial = false) {
    const auto report = Decisions(store_).take(requests, {"ann", "2026-11-20T10:00:00Z"}, on_refusal, trial);
    EXPECT_TRUE(report.ok());
    return *report;
  }

  std::string query(const std::string& sql) const { return SqliteFile(state_.store_path()).query(sql); }
  std::string statuses() const { return query("SELECT status FROM deletion ORDER BY id"); }
  std::string audit() const {
    return query(
        "SELECT deletion_id || ' ' || decided_at || ' ' || decided_by || ' ' || old_status || '>' || "
        "new_status || ' ' || note FROM decision ORDER BY id");
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_;
};

TEST_F(DecisionsTest, ChangeTheStatusAndAreAudited) {
  const DecisionReport report = take({{1, Decision::approve, "fine"}, {2, Decision::reject, ""}});
  EXPECT_EQ(report.changed_total(), 2U);
  EXPECT_EQ(report.changed, (std::array<std::uint64_t, 4>{1, 1, 0, 0}));
  EXPECT_EQ(statuses(), "approved,rejected,rejected");
  EXPECT_EQ(query("SELECT note FROM deletion WHERE id = 1"), "fine");
  EXPECT_EQ(audit(),
            "1 2026-11-20T10:00:00Z ann pending>approved fine,2 2026-11-20T10:00:00Z ann pending>rejected ");
}

TEST_F(DecisionsTest, AreRefusedWhereTheDeletionIsNotTheOneThatWasSeen) {
  const SeenDeletion seen{2, DeletionStatus::pending, 11, 22};
  const DecisionReport report = take({{1, Decision::approve, "", SeenDeletion{3, seen.status, 11, 22}},
                                      {1, Decision::approve, "", SeenDeletion{2, seen.status, 12, 22}},
                                      {1, Decision::approve, "", SeenDeletion{2, seen.status, 11, 21}},
                                      {3, Decision::reset, "", SeenDeletion{9, seen.status, 11, 22}},
                                      {1, Decision::approve, "", seen}},
                                     OnRefusal::leave_out);
  EXPECT_EQ(report.refused.size(), 4U);
  EXPECT_EQ(report.changed_total(), 1U);
  EXPECT_EQ(statuses(), "approved,pending,rejected");
}

TEST_F(DecisionsTest, AGivenNameIsStoredBesideTheUser) {
  const std::vector<DecisionRequest> requests = {{1, Decision::approve, ""}};
  ASSERT_TRUE(Decisions(store_)
                  .take(requests, {"alice", "2026-11-20T10:00:00Z", "ann"}, OnRefusal::change_nothing, false)
                  .ok());
  EXPECT_EQ(query("SELECT decided_by || ' ' || given_name FROM decision"), "alice ann");
  EXPECT_EQ(display_name(**Decisions(store_).last_decider(1)), "ann (as alice)");
}

TEST(Decider, IsShownWithTheUserLast) {
  EXPECT_EQ(display_name("alice", ""), "alice");
  EXPECT_EQ(display_name("alice", "alice"), "alice");
  EXPECT_EQ(display_name("reviewer:ann", "ann"), "reviewer:ann");
  EXPECT_EQ(display_name("reviewer:ann", "bob"), "bob (as reviewer:ann)");
  EXPECT_EQ(display_name("mallory", "reviewer:ann"), "reviewer:ann (as mallory)");
  EXPECT_EQ(display_name("mallory", "ann (as alice)"), "ann (as alice) (as mallory)");
}

TEST_F(DecisionsTest, AreIdempotent) {
  take({{1, Decision::approve, "fine"}});
  const std::string before = audit();
  const DecisionReport again = take({{1, Decision::approve, "fine"}, {1, Decision::approve, ""}});
  EXPECT_EQ(again.unchanged, 2U);
  EXPECT_EQ(again.changed_total(), 0U);
  EXPECT_EQ(audit(), before);
}

TEST_F(DecisionsTest, WhatIsCarriedOutKeepsItsNote) {
  take({{1, Decision::approve, "fine"}});
  take({{1, Decision::apply, ""}});
  EXPECT_EQ(query("SELECT status || ' ' || note FROM deletion WHERE id = 1"), "applied fine");
}

TEST_F(DecisionsTest, ANewNoteIsAudited) {
  take({{1, Decision::approve, "fine"}});
  EXPECT_EQ(take({{1, Decision::approve, "very fine"}}).changed_total(), 1U);
  EXPECT_EQ(query("SELECT note FROM deletion WHERE id = 1"), "very fine");
  EXPECT_EQ(query("SELECT old_status || '>' || new_status FROM decision ORDER BY id DESC LIMIT 1"),
            "approved>approved");
}

TEST_F(DecisionsTest, AllOrNothing) {
  const DecisionReport report =
      take({{1, Decision::approve, ""}, {2, Decision::apply, ""}, {99, Decision::approve, ""}});
  ASSERT_EQ(report.refused.size(), 2U);
  EXPECT_EQ(report.refused[0].request, 1U);
  EXPECT_EQ(report.refused[0].reason, "is pending");
  EXPECT_EQ(report.refused[1].reason, "there is no such deletion");
  EXPECT_EQ(statuses(), "pending,pending,rejected");
  EXPECT_EQ(audit(), "");
}

TEST_F(DecisionsTest, OrWhatIsAllowed) {
  const DecisionReport report =
      take({{1, Decision::approve, ""}, {2, Decision::apply, ""}}, OnRefusal::leave_out);
  EXPECT_EQ(report.refused.size(), 1U);
  EXPECT_EQ(statuses(), "approved,pending,rejected");
}

TEST_F(DecisionsTest, ATrialChangesNothing) {
  EXPECT_EQ(take({{1, Decision::approve, ""}}, OnRefusal::leave_out, true).changed_total(), 1U);
  EXPECT_EQ(statuses(), "pending,pending,rejected");
}

TEST_F(DecisionsTest, ARejectionIsNotResetWhileItsKeeperIsListed) {
  EXPECT_EQ(take({{3, Decision::reset, ""}}).refused.at(0).reason,
            "its keeper is listed for deletion itself by now");
  take({{2, Decision::reject, ""}});
  EXPECT_EQ(take({{3, Decision::reset, ""}}).changed_total(), 1U);
  const auto refused = take({{2, Decision::reset, ""}}).refused;
  EXPECT_EQ(refused.at(0).reason, "question 12 is listed in its favour by now");
  EXPECT_EQ(refused.at(0).kind, "another question is listed in its favour by now");
}

TEST_F(DecisionsTest, ARejectionIsNotResetWhileTheQuestionIsListed) {
  list({{12, 3}}, {"pending"});
  EXPECT_EQ(take({{3, Decision::reset, ""}}).refused.at(0).reason,
            "the question is listed in favour of 3 by now");
}

TEST_F(DecisionsTest, WhatWasAppliedCanBeReset) {
  take({{1, Decision::approve, ""}});
  take({{1, Decision::apply, ""}});
  EXPECT_EQ(take({{1, Decision::reject, ""}}).refused.at(0).reason, "is applied");
  take({{1, Decision::reset, "back in the index"}});
  EXPECT_EQ(statuses(), "pending,pending,rejected");
}

TEST_F(DecisionsTest, TheAuditIsNeverChanged) {
  take({{1, Decision::approve, ""}});
  EXPECT_EQ(query("UPDATE decision SET note = 'x'"), "decisions are never changed");
  EXPECT_EQ(query("DELETE FROM decision"), "decisions are never removed");
}

// Of thousands, with random decisions on them.
class ManyDeletions {
 public:
  ManyDeletions() : store_(must(Store::open(state_, Access::read_write))) {
    for (const QuestionId first : {1'000, 5'000, 9'000}) {
      IterationDraft draft;
      draft.record.kind = "logs";
      for (QuestionId id = first; id < first + 1'200; ++id) {
        draft.outcome.deletions.push_back({id, id / 7, 1, 5, refine::Confidence::safe, {}, {}, 11, 22});
      }
      EXPECT_TRUE(Iterations(store_).commit(draft, 5).ok());
    }
  }

  void take(std::span<const DecisionRequest> requests, std::size_t at_a_time) {
    for (; !requests.empty(); requests = requests.subspan(std::min(at_a_time, requests.size()))) {
      ASSERT_TRUE(Decisions(store_)
                      .take(requests.first(std::min(at_a_time, requests.size())),
                            {"ann", "2026-11-20T10:00:00Z"}, OnRefusal::leave_out, false)
                      .ok());
    }
  }

  // What decisions change, and the indexes.
  [[nodiscard]] std::string all() const {
    std::string text;
    for (const char* rows :
         {"id || status || note FROM deletion", "deletion_id || old_status || new_status FROM decision",
          "question_id || ' ' || held_by FROM class_member", "question_id || reason FROM class_change",
          "status || ' ' || deletions FROM deletion_tally", "name || sql FROM sqlite_schema ORDER BY name"}) {
      text += SqliteFile(state_.store_path()).query(std::string("SELECT ") + rows) + '\n';
    }
    return text + SqliteFile(state_.store_path()).query("PRAGMA integrity_check");
  }

 private:
  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_;
};

TEST(ManyDecisions, AtOnceDoWhatTheyDoFewAtATime) {
  ManyDeletions at_once;
  ManyDeletions in_turn;
  std::mt19937 random(21);
  const std::vector<std::vector<Decision>> rounds = {{Decision::approve},
                                                     {Decision::approve, Decision::reject},
                                                     {Decision::apply, Decision::reject},
                                                     {Decision::reset, Decision::reject},
                                                     {Decision::approve, Decision::apply}};
  for (const std::vector<Decision>& decisions : rounds) {
    std::vector<DecisionRequest> requests;
    for (std::int64_t id = 1; id <= 3'600; ++id) {
      if (random() % 2 == 0) requests.push_back({id, decisions[random() % decisions.size()], ""});
    }
    at_once.take(requests, requests.size());
    in_turn.take(requests, 100);
    ASSERT_EQ(at_once.all(), in_turn.all());
    ASSERT_TRUE(at_once.all().ends_with("\nok"));
  }
}

}  // namespace
}  // namespace qdedup::db
