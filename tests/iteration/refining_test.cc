// What refining may take of time and memory changes nothing.

#include "iteration/refining.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_state.h"
#include "tests/support/sampled.h"

namespace qdedup::iteration {
namespace {

// Pairs of duplicates, and pairs that only have the same signs.
std::map<QuestionId, std::string> questions_in_pairs(QuestionId pairs) {
  std::map<QuestionId, std::string> questions;
  for (QuestionId pair = 0; pair < pairs; ++pair) {
    const std::string number = std::to_string(pair);
    questions[2 * pair + 1] = "小明买了" + number + "本书";
    questions[2 * pair + 2] = (pair % 2 == 0 ? "小明买了" : "操场上来") + number + "本书";
  }
  return questions;
}

// A log of one pair in `every`.
std::string log_of(QuestionId pairs, QuestionId every) {
  std::string log;
  for (QuestionId pair = 0; pair < pairs; pair += every) {
    log += "[[" + std::to_string(2 * pair + 1) + ",0.9],[" + std::to_string(2 * pair + 2) + ",0.8]]\n";
  }
  return log;
}

// What the list says, row by row.
std::string rows_of(SampleState& state) {
  std::string rows;
  for (const db::DeletionRow& row : state.deletions({})) {
    rows += std::to_string(row.question) + ' ' + std::to_string(row.keeper) + ' ' +
            std::to_string(row.distance) + ' ' + std::string(name(row.status)) + '\n';
  }
  return rows;
}

// Pairs are mined, and then lists that have questions of three pairs each: of those that were listed, and of
// others.
std::string listed_in_two_iterations(unsigned threads, std::uint64_t memory_bytes) {
  constexpr QuestionId pairs = 600;
  SampleState state;
  state.settings.resources.threads = threads;
  state.settings.resources.memory_bytes = memory_bytes;
  std::map<QuestionId, std::string> questions = questions_in_pairs(pairs);
  for (auto& [id, text] : questions) {
    if (id % 7 == 0) text = "小明买了" + std::to_string(id / 28) + "本书";
  }
  state.put(questions);
  state.mine({state.folder.write("log", log_of(pairs, 3))});
  state.iterate();
  std::string log;
  for (QuestionId id = 1; id + 10 < 2 * pairs; id += 4) {
    log += "[[" + std::to_string(id + 10) + ",0.9],[" + std::to_string(id + 1) + ",0.8],[" +
           std::to_string(id) + ",0.7]]\n";
  }
  state.mine({state.folder.write("log2", log)});
  state.iterate();
  EXPECT_GT(state.deletions({}).size(), 200U);
  return rows_of(state);
}

std::vector<QuestionId> listed(QuestionId pairs, QuestionId every, unsigned threads,
                               std::uint64_t memory_bytes) {
  SampleState state;
  state.settings.resources.threads = threads;
  state.settings.resources.memory_bytes = memory_bytes;
  state.put(questions_in_pairs(pairs));
  state.mine({state.folder.write("log", log_of(pairs, every))});
  state.iterate();
  std::vector<QuestionId> questions;
  for (const db::DeletionRow& row : state.deletions({})) questions.push_back(row.question);
  return questions;
}

TEST(Refining, DoesNotDependOnMemoryAndThreads) {
  constexpr auto pairs = sampled(QuestionId{3000});
  std::vector<QuestionId> expected;
  for (QuestionId pair = 0; pair < pairs; pair += 2) expected.push_back(2 * pair + 2);
  for (const unsigned threads : {1U, 2U}) {
    for (const std::uint64_t memory_bytes :
         {std::uint64_t{1}, std::uint64_t{20'000}, std::uint64_t{1} << 30U}) {
      EXPECT_EQ(listed(pairs, 1, threads, memory_bytes), expected);
    }
  }
}

TEST(Refining, OfWhatThePastConcernsDoesNotDependOnMemoryAndThreads) {
  const std::string expected = listed_in_two_iterations(1, 1U << 30U);
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const std::uint64_t memory_bytes : {1U, 5'000U, 50'000U, 400'000U, 1U << 30U}) {
      EXPECT_EQ(listed_in_two_iterations(threads, memory_bytes), expected);
    }
  }
}

// Whatever the number of parts, one count goes from nothing to all clusters.
TEST(Refining, TellsHowFarItIsInOneCount) {
  for (const std::uint64_t memory_bytes : {1U, 5'000U, 50'000U, 1U << 30U}) {
    SampleState state;
    state.settings.resources.threads = 1;
    state.settings.resources.memory_bytes = memory_bytes;
    state.put(questions_in_pairs(600));
    state.mine({state.folder.write("log", log_of(600, 3))});
    state.iterate();
    state.mine({state.folder.write("log2", log_of(600, 1))});
    std::vector<std::uint64_t> told;
    must(run_iteration(
        {state.store, state.writer, state.bank, state.settings, state.clock,
         [&](std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view) {
           if (stage != "refine") return;
           told.push_back(done);
           EXPECT_EQ(total, 600U);
         }}));
    EXPECT_TRUE(std::ranges::is_sorted(told)) << memory_bytes;
    EXPECT_EQ(told.back(), 600U) << memory_bytes;
    EXPECT_GT(told.size(), memory_bytes == 1 ? 100U : 1U);
  }
}

// What is mined meanwhile is folded into nothing that the iteration reads, and waits for the next one.
TEST(Refining, UsesEachListOnceThoughItsLogGrowsMeanwhile) {
  SampleState state;
  state.settings.resources.threads = 1;
  state.put(questions_in_pairs(600));
  const std::string log = state.folder.write("log", log_of(300, 1));
  state.mine({log});
  bool has_grown = false;
  const auto first =
      must(run_iteration({state.store, state.writer, state.bank, state.settings, state.clock,
                          [&](std::string_view stage, std::uint64_t, std::uint64_t, std::string_view) {
                            if (stage == "sort" && !std::exchange(has_grown, true)) {
                              std::ignore = state.folder.append("log", log_of(600, 3));
                              state.mine({log});
                            }
                          }}));
  ASSERT_TRUE(has_grown);
  const auto second = state.iterate();
  EXPECT_EQ(first->counts.lines, 300U);
  EXPECT_EQ(second->counts.lines, 200U);
  EXPECT_EQ(first->counts.distinct_lists + second->counts.distinct_lists, 500U);
}

// However many are decided at once.
TEST(Refining, TellsAgainAndAgainHowFarItIs) {
  SampleState state;
  state.settings.resources.threads = 1;
  state.put(questions_in_pairs(6000));
  state.mine({state.folder.write("log", log_of(6000, 1))});
  std::map<std::string, int, std::less<>> told;
  must(run_iteration({state.store, state.writer, state.bank, state.settings, state.clock,
                      [&](std::string_view stage, std::uint64_t, std::uint64_t, std::string_view) {
                        ++told[std::string(stage)];
                      }}));
  EXPECT_GE(told["sort"], 10);
  EXPECT_GE(told["candidates"], 10);
  EXPECT_GE(told["refine"], 40);
}

// So few of so many that no sketches are read.
TEST(Refining, ReadsFewQuestionsOneByOne) {
  EXPECT_EQ(listed(3000, 1500, 1, 1U << 30U), (std::vector<QuestionId>{2, 3002}));
}

}  // namespace
}  // namespace qdedup::iteration
