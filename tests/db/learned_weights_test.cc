#include "db/learned_weights.h"

#include <gtest/gtest.h>

#include "db/iterations.h"
#include "refine/pair_features.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

refine::RiskModel model(std::int64_t intercept) {
  const std::vector<std::int64_t> features(refine::feature_names().size());
  return refine::RiskModel({refine::RiskModel::Weights{intercept, features, refine::Risk(100)},
                            refine::RiskModel::Weights{-intercept, features, refine::Risk(200)}});
}

class LearnedWeightsTest : public testing::Test {
 protected:
  std::string name_in_force() {
    const auto settings = with_weights({}, store_);
    return settings.ok() ? refine::model_of(*settings).name() : settings.error().message;
  }

  void decide(std::int64_t deletion, Decision decision, bool one_by_one) {
    const DecisionRequest request{
        deletion, decision, "", {}, one_by_one ? std::optional(QuestionPair()) : std::nullopt};
    const auto report = Decisions(store_).take({&request, 1}, who_, OnRefusal::change_nothing, false);
    ASSERT_TRUE(report.ok() && report->changed_total() == 1);
  }

  std::vector<std::int64_t> one_by_one() { return *Decisions(store_).decided_one_by_one(); }

  void list(const std::vector<std::pair<QuestionId, QuestionId>>& pairs) {
    IterationDraft draft;
    draft.record.kind = "logs";
    for (const auto& [question, keeper] : pairs) draft.outcome.deletions.push_back(row(question, keeper));
    ASSERT_TRUE(Iterations(store_).commit(draft, 5).ok());
  }

  void repoint(QuestionId question, QuestionId keeper, refine::ApprovalPolicy policy = {}) {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.outcome.repointed.push_back(row(question, keeper));
    draft.policy = policy;
    ASSERT_TRUE(Iterations(store_).commit(draft, 5).ok());
  }

  static refine::AnnotatedDeletion row(QuestionId question, QuestionId keeper) {
    return {question, keeper, 1, 5, refine::Confidence::safe, {}, {}, 11, 22};
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_ = must(Store::open(state_, Access::read_write));
  LearnedWeights weights_{store_};
  Decider who_{"ann", "2026-11-20T10:00:00Z"};
};

TEST_F(LearnedWeightsTest, AreThoseOfTheProgramAtFirst) {
  EXPECT_EQ(*weights_.in_force(), nullptr);
  EXPECT_EQ(name_in_force(), refine::RiskModel::shipped().name());
  EXPECT_FALSE(*weights_.undo(who_));
}

TEST_F(LearnedWeightsTest, AreInForceUntilTheyAreUndone) {
  ASSERT_TRUE(weights_.add(model(1), 100, who_).ok());
  ASSERT_TRUE(weights_.add(model(2), 200, who_).ok());
  EXPECT_EQ(name_in_force(), model(2).name());
  EXPECT_EQ((*weights_.in_force())->text(), model(2).text());
  EXPECT_TRUE(*weights_.undo(who_));
  EXPECT_EQ(name_in_force(), model(1).name());
  ASSERT_TRUE(weights_.add(model(3), 200, who_).ok());
  EXPECT_EQ(name_in_force(), model(3).name());
  EXPECT_TRUE(*weights_.undo(who_));
  EXPECT_EQ(name_in_force(), model(1).name()) << "not those that were undone before";
  EXPECT_TRUE(*weights_.undo(who_));
  EXPECT_EQ(name_in_force(), refine::RiskModel::shipped().name());
}

TEST_F(LearnedWeightsTest, ThatCannotBeReadSayHowToReturn) {
  ASSERT_TRUE(weights_.add(model(1), 100, who_).ok());
  SqliteFile(state_.store_path()).query("UPDATE learned_weights SET weights = 'feature'");
  EXPECT_NE(name_in_force().find("learned_weights 1:1: "), std::string::npos) << name_in_force();
  EXPECT_NE(name_in_force().find("qdedup learn --undo"), std::string::npos);
  EXPECT_TRUE(*weights_.undo(who_));
  EXPECT_EQ(name_in_force(), refine::RiskModel::shipped().name());
}

TEST_F(LearnedWeightsTest, CountTheDecisionsSince) {
  list({{5, 2}, {9, 2}, {12, 7}});
  decide(1, Decision::approve, true);
  decide(2, Decision::approve, false);
  EXPECT_EQ(*weights_.new_decisions(), 1U);
  ASSERT_TRUE(weights_.add(model(1), 1, who_).ok());
  EXPECT_EQ(*weights_.new_decisions(), 0U);
  decide(3, Decision::reject, true);
  ASSERT_TRUE(weights_.undo(who_).ok());
  EXPECT_EQ(*weights_.new_decisions(), 1U);
  decide(3, Decision::reset, true);
  EXPECT_EQ(*weights_.new_decisions(), 0U) << "it was taken back";
}

TEST_F(LearnedWeightsTest, TheLastDecisionOnADeletionCounts) {
  list({{5, 2}, {9, 2}, {12, 7}, {15, 7}});
  decide(2, Decision::reject, true);
  decide(1, Decision::approve, true);
  decide(3, Decision::approve, false);
  decide(4, Decision::approve, true);
  EXPECT_EQ(one_by_one(), (std::vector<std::int64_t>{2, 1, 4}));
  decide(1, Decision::apply, false);
  EXPECT_EQ(one_by_one(), (std::vector<std::int64_t>{2, 1, 4})) << "it is approved all the same";
  decide(2, Decision::reset, true);
  decide(4, Decision::reject, false);
  EXPECT_EQ(one_by_one(), (std::vector<std::int64_t>{1}));
  decide(2, Decision::approve, true);
  EXPECT_EQ(one_by_one(), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(LearnedWeightsTest, ADecisionOnAnotherKeeperCountsForNothing) {
  list({{5, 3}, {9, 3}, {12, 3}});
  for (const std::int64_t deletion : {1, 2, 3}) decide(deletion, Decision::approve, true);
  decide(2, Decision::apply, false);
  repoint(5, 2);
  repoint(9, 2);
  repoint(12, 2, {refine::Risk(100)});  // it stays approved, by the policy
  EXPECT_TRUE(one_by_one().empty());
  decide(1, Decision::approve, true);
  EXPECT_EQ(one_by_one(), (std::vector<std::int64_t>{1}));
}

}  // namespace
}  // namespace qdedup::db
