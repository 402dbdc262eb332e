#include "daemon/check_index.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "daemon/check_api.h"
#include "db/fingerprints.h"
#include "iteration/question_check.h"
#include "tests/support/sample_state.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t plenty = std::size_t{1} << 30U;
const std::string question_text = "一二三四五六七八九十";

// An index of a sample's bank; what the thread that builds it tells is awaited.
class SampleIndex {
 public:
  SampleIndex() { must(db::bring_texts_up_to_date(sample.bank, {}, no_progress)); }

  void want(int min_similarity, std::size_t bytes) {
    index.want({{.min_similarity = min_similarity, .similarity = {}}, bytes});
  }

  void await_told(int times) {
    for (int told = told_; told < times; told = told_) told_.wait(told);
  }

  // As checks do; returns whether it follows the bank.
  bool follow() {
    const auto used = current();
    return used && must(used->follow(sample.bank));
  }

  std::shared_ptr<iteration::BankIndex> await_current() {
    auto used = current();
    while (!used) used = current();
    return used;
  }

  void put(QuestionId first, QuestionId last) {
    std::map<QuestionId, std::string> questions;
    for (QuestionId id = first; id <= last; ++id) questions[id] = question_text;
    sample.put(questions);
  }

  [[nodiscard]] int told() const { return told_; }
  [[nodiscard]] int failures() const { return failures_; }

  std::shared_ptr<iteration::BankIndex> current() { return index.of(identity_of(sample.state.bank_path())); }

  SampleState sample;

 private:
  std::atomic<int> told_ = 0;
  std::atomic<int> failures_ = 0;

 public:
  CheckIndex index{sample.state,
                   [this](const Result<std::shared_ptr<iteration::BankIndex>>& built) {
                     if (!built.ok()) ++failures_;
                     ++told_;
                     told_.notify_all();
                   },
                   {.few = 3, .max_changes = 40}};
};

TEST(CheckIndex, IsBuiltForWhatIsWanted) {
  SampleIndex sample;
  sample.sample.put({{1, question_text}});
  EXPECT_FALSE(sample.current());
  sample.want(80, plenty);
  sample.await_told(1);
  ASSERT_TRUE(sample.current());
  EXPECT_EQ(sample.current()->settings().min_similarity, 80);
  EXPECT_EQ(sample.index.report().questions, 1U);
  sample.want(70, plenty);
  sample.await_told(2);
  EXPECT_EQ(sample.current()->settings().min_similarity, 70);
  sample.want(70, 0);
  EXPECT_FALSE(sample.current());
  EXPECT_FALSE(sample.index.report().wanted);
}

TEST(CheckIndex, TellsWhyThereIsNone) {
  SampleIndex sample;
  sample.sample.put({{1, question_text}});
  sample.want(80, 10);
  sample.await_told(1);
  EXPECT_FALSE(sample.current());
  EXPECT_EQ(sample.index.report().failure, "an index of more than 0 MiB would be needed");
  EXPECT_FALSE(sample.index.report().built_at);
}

TEST(CheckIndex, IsNotOfAnotherBank) {
  SampleIndex sample;
  sample.want(80, plenty);
  sample.await_told(1);
  ASSERT_TRUE(sample.current());
  EXPECT_FALSE(sample.index.of(logs::FileIdentity{1, 2}));
  sample.await_told(2);
  EXPECT_TRUE(sample.current());
}

TEST(CheckIndex, BuildsNothingAfterItsEnd) {
  SampleIndex sample;
  EXPECT_TRUE(sample.index.stop(std::chrono::hours(1)));
  sample.want(80, plenty);
  EXPECT_FALSE(sample.current());
}

TEST(CheckIndex, IsBuiltAnewWhenItIsCrowded) {
  SampleIndex sample;
  sample.want(80, plenty);
  sample.await_told(1);
  sample.put(1, 8);
  EXPECT_TRUE(sample.follow());
  const auto crowded = sample.current();
  EXPECT_TRUE(crowded->is_crowded());
  sample.await_told(2);
  EXPECT_NE(sample.current(), crowded);
  EXPECT_FALSE(sample.current()->is_crowded());
  EXPECT_EQ(sample.index.report().questions, 8U);
}

TEST(CheckIndex, IsBuiltAnewWhenItIsOutgrown) {
  SampleIndex sample;
  sample.want(80, plenty);
  sample.await_told(1);
  sample.put(1, 100);
  EXPECT_FALSE(sample.follow());
  (void)sample.current();
  sample.await_told(2);
  EXPECT_TRUE(sample.follow());
}

// First it is crowded, and there is no room for another one; then it is of no use.
TEST(CheckIndex, KeepsNoneThatIsOfNoUse) {
  constexpr std::size_t little = 2000;
  SampleIndex sample;
  sample.put(1, 1);
  sample.want(80, little);
  sample.await_told(1);
  EXPECT_EQ(sample.failures(), 0);
  sample.put(2, 40);
  EXPECT_TRUE(sample.follow());
  (void)sample.current();
  sample.put(41, 200);
  (void)sample.follow();
  while (sample.told() < 2) (void)sample.current();
  EXPECT_EQ(sample.failures(), 1);
  EXPECT_FALSE(sample.current());
  EXPECT_FALSE(sample.index.report().built_at);
}

TEST(CheckIndex, LeavesMemoryToOthers) {
  SampleIndex sample;
  EXPECT_EQ(sample.index.memory_left(4 * plenty), 4 * plenty);
  sample.want(80, plenty);
  sample.await_told(1);
  const std::size_t bytes = sample.index.report().bytes;
  EXPECT_EQ(sample.index.memory_left(plenty), plenty - bytes);
  sample.put(1, 100);
  {
    const auto paused = sample.index.pause();
    EXPECT_FALSE(sample.follow());
    (void)sample.current();
    EXPECT_EQ(sample.index.memory_left(plenty), plenty - bytes);
  }
  sample.put(101, 102);
  (void)sample.current();
  sample.await_told(2);
  EXPECT_TRUE(sample.follow());
  sample.want(80, 0);
  EXPECT_EQ(sample.index.memory_left(plenty), plenty);
}

TEST(CheckIndex, CountsAsWholeWhileItIsToBeBuilt) {
  SampleIndex sample;
  const auto paused = sample.index.pause();
  sample.put(1, 20'000);
  sample.want(80, plenty);
  const std::uint64_t left = sample.index.memory_left(4 * plenty);
  const std::uint64_t half = sample.index.memory_left(plenty);
  if (sample.index.report().built_at) GTEST_SKIP() << "was built faster than asked";
  EXPECT_EQ(left, 3 * plenty);
  EXPECT_EQ(half, plenty / 2);
}

// Though settings change there and back while it is being built.
TEST(CheckIndex, TellsNothingOfWhatWasGivenUp) {
  SampleIndex sample;
  sample.put(1, 2000);
  for (int round = 0; round < 100; ++round) {
    sample.want(80, plenty);
    while (!sample.index.report().building && !sample.index.report().built_at) {
    }
    sample.want(70, plenty);
    sample.want(80, plenty);
  }
  EXPECT_EQ(sample.await_current()->settings().min_similarity, 80);
  EXPECT_EQ(sample.failures(), 0);
}

std::vector<iteration::CheckOutcome> added(SampleIndex& sample, QuestionId id, const std::string& asked) {
  const auto index = sample.current();
  return must(iteration::add_new_questions(std::vector<iteration::AskedQuestion>{{id, asked, std::nullopt}},
                                           sample.sample.store, sample.sample.writer, sample.sample.bank, {},
                                           {}, sample.sample.clock, index.get()));
}

// Questions are added and asked for by two threads while it is built again and again. Of two equal ones one
// enters.
TEST(CheckIndex, AnswersWhileTheBankGrows) {
  SampleIndex sample;
  constexpr int count = 40;
  std::atomic<int> known = 0;
  std::thread asking([&] {
    ReadConnections state(sample.sample.state);
    while (known < count) {
      const int newest = known;
      must(state.open());
      const std::vector<iteration::AskedQuestion> asked = {
          {std::nullopt, question_text + std::to_string(newest), std::nullopt}};
      const auto index = sample.index.of(state.bank_file());
      const auto outcomes =
          must(iteration::check_questions(asked, state.store(), state.bank(), {}, index.get()));
      if (newest > 0) {
        EXPECT_EQ(outcomes[0].duplicate_of->keeper, newest);
      }
    }
  });
  for (int number = 1; number <= count; ++number) {
    if (number % 8 == 1) sample.want(80, plenty + static_cast<std::size_t>(number));
    if (number % 8 == 5) (void)sample.await_current();
    EXPECT_TRUE(added(sample, number, question_text + std::to_string(number))[0].added);
    EXPECT_EQ(added(sample, count + number, question_text + std::to_string(number))[0].duplicate_of->keeper,
              number);
    known = number;
  }
  asking.join();
  EXPECT_EQ(sample.failures(), 0);
  EXPECT_TRUE(sample.index.stop(std::chrono::hours(1)));
}

TEST(ReadConnections, OpensWhatWasReplaced) {
  SampleState sample;
  sample.put({{1, question_text}});
  ReadConnections reading(sample.state);
  must(reading.open());
  const auto file = reading.bank_file();
  EXPECT_EQ(must(reading.bank().count()), 1U);
  must(reading.open());
  EXPECT_EQ(reading.bank_file(), file);
  TemporaryFolder folder;
  const std::string path = sample.state.bank_path();
  for (const char* suffix : {"", "-wal", "-shm"})
    std::filesystem::rename(path + suffix, folder.path() / (std::string("old") + suffix));
  must(db::Bank::open(sample.state, db::Access::read_write));
  must(reading.open());
  EXPECT_NE(reading.bank_file(), file);
  EXPECT_EQ(must(reading.bank().count()), 0U);
}

}  // namespace
}  // namespace qdedup::daemon
