// Weeks on end: random banks, logs, edits and removals, with random decisions between the iterations, against
// the slow twin; and after each step the whole store is verified.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/decisions.h"
#include "iteration/iteration.h"
#include "review/deciding.h"
#include "review/recheck.h"
#include "review/verification.h"
#include "tests/reference/iterating.h"
#include "tests/support/sample_state.h"

namespace qdedup::review {
namespace {

constexpr int min_similarity = 80;

class RandomWorld {
 public:
  RandomWorld(unsigned seed, unsigned threads) : random_(seed), twin_(max_cluster_size, min_similarity) {
    sample_.settings.merge.max_cluster_size = max_cluster_size;
    sample_.settings.resources.threads = threads;
  }

  void change_bank() {
    std::map<QuestionId, std::string> changes;
    for (int i = 0; i < (bank_.empty() ? 60 : 8); ++i) changes[random_id()] = random_text();
    sample_.put(changes);
    for (const auto& [id, text] : changes) bank_[id] = text;
    if (const QuestionId gone = random_id(); bank_.erase(gone) > 0) sample_.remove(gone);
  }

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

  // Mines a random log, runs an iteration, and holds both against the twin.
  void iterate(int number) {
    std::vector<miner::SeedList> lists;
    std::string log;
    for (int i = 0; i < 12; ++i) {
      const miner::SeedList list = random_list();
      log += log_line(list);
      if (list.ids.size() >= 2) lists.push_back(list);
    }
    sample_.mine({sample_.folder.write("log" + std::to_string(number), log)});
    const auto iteration = sample_.iterate();
    const reference::Iterations::Result expected = twin_.iterate(bank_, lists);
    if (!iteration) {
      EXPECT_TRUE(expected.listed.empty() && expected.withdrawn == 0);
    } else {
      compare(*iteration, expected);
    }
    compare_all();
    expect_all_holds();
  }

 private:
  static constexpr std::size_t max_cluster_size = 12;

  void compare(const db::IterationRecord& iteration, const reference::Iterations::Result& expected) {
    std::vector<refine::Deletion> listed;
    for (const db::DeletionRow& row : sample_.deletions({iteration.id, {}, ""})) {
      listed.push_back({row.question, row.keeper});
    }
    EXPECT_EQ(listed, expected.listed);
    EXPECT_EQ(iteration.counts.withdrawn, expected.withdrawn);
  }

  // Each deletion ever listed, in that order: "9>5 approved".
  void compare_all() {
    std::map<std::int64_t, std::string> stored;
    for (const db::DeletionRow& row : sample_.deletions({}))
      stored[row.id] = shown(row.question, row.keeper, row.status);
    std::vector<std::string> all;
    for (const auto& [id, text] : stored) all.push_back(text);
    std::vector<std::string> expected;
    for (const auto& deletion : twin_.all()) {
      expected.push_back(shown(deletion.question, deletion.keeper, deletion.status));
    }
    EXPECT_EQ(all, expected);
  }

  static std::string shown(QuestionId question, QuestionId keeper, const std::string& status) {
    return std::to_string(question) + ">" + std::to_string(keeper) + " " + status;
  }

  void expect_all_holds() {
    const auto counts = must(verify(
        sample_.store, sample_.bank,
        [](const Breach& breach) {
          ADD_FAILURE() << breach.kind << ' ' << breach.question << '>' << breach.keeper << breach.detail;
        },
        no_progress));
    EXPECT_EQ(counts.breaches, 0U);
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

  QuestionId random_id() { return std::uniform_int_distribution<QuestionId>(1, 80)(random_); }

  // Short texts over a small alphabet, so that many are duplicates and similarity is no equivalence.
  std::string random_text() {
    static const std::vector<std::string> characters = {"甲", "乙", "丙"};
    const auto choose = [&](std::size_t below) {
      return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
    };
    std::string text;
    for (std::size_t i = 0; i < 5; ++i) text += characters[choose(8) < 6 ? 0 : choose(characters.size())];
    if (choose(4) == 0) text += std::to_string(choose(2));
    return choose(30) == 0 ? "" : text;
  }

  miner::SeedList random_list() {
    miner::SeedList list;
    list.top_score = std::uniform_int_distribution<int>(5, 8)(random_) / 10.0;
    const int length = std::uniform_int_distribution<int>(2, 6)(random_);
    while (static_cast<int>(list.ids.size()) < length) {
      const QuestionId id = random_id();
      if (std::ranges::find(list.ids, id) == list.ids.end()) list.ids.push_back(id);
    }
    return list;
  }

  static std::string log_line(const miner::SeedList& list) {
    std::string line = "[";
    for (const QuestionId id : list.ids) {
      line +=
          (line.size() == 1 ? "[" : ",[") + std::to_string(id) + "," + std::to_string(list.top_score) + "]";
    }
    return line + "]\n";
  }

  std::mt19937_64 random_;
  SampleState sample_;
  std::map<QuestionId, std::string> bank_;
  reference::Iterations twin_;
};

class RandomWeeks : public testing::TestWithParam<unsigned> {};

TEST_P(RandomWeeks, AgreeWithTheTwinAndHold) {
  RandomWorld world(GetParam(), GetParam() % 3 + 1);
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
