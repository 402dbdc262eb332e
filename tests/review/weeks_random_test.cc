// Weeks on end: random banks, logs, edits and removals, with random decisions between the iterations, against
// the slow twin; and after each step the whole store is verified.

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/decisions.h"
#include "iteration/iteration.h"
#include "review/deciding.h"
#include "review/verification.h"
#include "tests/support/random_world.h"

namespace qdedup::review {
namespace {

class World : public RandomWorld {
 public:
  using RandomWorld::RandomWorld;

  // Some decisions on deletions of any age and status.
  void decide() {
    for (int i = 0; i < 25 && !twin_.all().empty(); ++i) {
      const auto position = std::uniform_int_distribution<std::size_t>(0, twin_.all().size() - 1)(random_);
      const auto deletion = twin_.all()[position];
      const auto decision = static_cast<db::Decision>(std::uniform_int_distribution<int>(0, 3)(random_));
      // What is applied need not hold any more; what else is decided does.
      if (decision == db::Decision::apply && deletion.status != "approved") continue;
      EXPECT_EQ(decide_in_store(deletion.question, deletion.keeper, decision),
                twin_.decide(bank_, deletion.question, deletion.keeper, std::string(name(decision))))
          << name(decision) << ' ' << shown(deletion.question, deletion.keeper, deletion.status);
    }
    compare_all();
    expect_all_holds();
  }

  // As before approved deletions are exported.
  void recheck() {
    const Recheck found = must(recheck_approved(sample_.store, sample_.bank, {}));
    must(sample_.writer.write([&](db::Store& store) {
      return db::Decisions(store).withdraw(found.withdrawn, found.reopened, "");
    }));
    twin_.recheck(bank_);
    compare_all();
  }

  void iterate(int number) {
    RandomWorld::iterate(number);
    compare_all();
    expect_all_holds();
  }

 private:
  // Each deletion ever listed, in that order: "9>5 approved".
  void compare_all() {
    std::map<std::int64_t, std::string> stored;
    for (const db::DeletionRow& row : sample_.deletions({}))
      stored[row.id] = shown(row.question, row.keeper, std::string(name(row.status)));
    std::vector<std::string> all;
    for (const auto& [id, text] : stored) all.push_back(text);
    std::vector<std::string> expected;
    for (const auto& deletion : twin_.all()) {
      expected.push_back(shown(deletion.question, deletion.keeper, deletion.status));
    }
    EXPECT_EQ(all, expected);
    compare_classes();
  }

  static std::string shown(QuestionId question, QuestionId keeper, const std::string& status) {
    return std::to_string(question) + ">" + std::to_string(keeper) + " " + status;
  }

  // All but deletions that were reset after their keeper had left; the next iteration withdraws those.
  void expect_all_holds() {
    std::set<std::string> expected;
    for (const auto& deletion : twin_.all()) {
      if (deletion.status == "pending" && !bank_.contains(deletion.keeper))
        expected.insert(shown(deletion.question, deletion.keeper, "keeper-gone"));
    }
    std::set<std::string> found;
    must(verify(
        sample_.store, sample_.bank,
        [&](const db::Breach& breach) {
          found.insert(shown(breach.question, breach.keeper, breach.kind + breach.detail));
        },
        no_progress));
    EXPECT_EQ(found, expected);
  }

  // As one pair; whether it was allowed.
  bool decide_in_store(QuestionId question, QuestionId keeper, db::Decision decision) {
    const auto requested =
        DecisionLookup(sample_.store, sample_.bank).of_pair(question, keeper, decision, "");
    if (!requested.ok() || !requested->problems.empty()) return false;
    const db::DecisionReport report = must(sample_.writer.write([&](db::Store& store) {
      return db::Decisions(store).take(requested->requests, {"test", ""}, db::OnRefusal::change_nothing,
                                       false);
    }));
    return report.refused.empty();
  }
};

class RandomWeeks : public testing::TestWithParam<unsigned> {};

TEST_P(RandomWeeks, AgreeWithTheTwinAndHold) {
  World world(GetParam(), GetParam() % 3 + 1);
  for (int week = 0; week < 10; ++week) {
    world.change_bank();
    if ((static_cast<unsigned>(week) + GetParam()) % 2 == 0) world.recheck();
    world.iterate(week);
    world.decide();
    if (testing::Test::HasFailure()) FAIL() << "in week " << week + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWeeks, testing::Range(0U, 24U));

}  // namespace
}  // namespace qdedup::review
