#include "daemon/check_index.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "iteration/question_check.h"
#include "tests/support/sample_state.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t plenty = std::size_t{1} << 30U;
const std::string text = "一二三四五六七八九十";

// An index of a sample's bank; what the thread that builds it tells is awaited.
class SampleIndex {
 public:
  SampleIndex() { must(import::bring_fingerprints_up_to_date(sample.bank, no_progress)); }

  void want(int min_similarity, std::size_t bytes) {
    index.want({{.min_similarity = min_similarity, .similarity = {}}, bytes});
  }

  void await_told(int times) {
    for (int told = told_; told < times; told = told_) told_.wait(told);
  }

  std::shared_ptr<iteration::BankIndex> current() { return index.of(identity_of(sample.state.bank_path())); }

  SampleState sample;

 private:
  std::atomic<int> told_ = 0;

 public:
  CheckIndex index{sample.state, [this](const Result<std::shared_ptr<iteration::BankIndex>>&) {
                     ++told_;
                     told_.notify_all();
                   }};
};

TEST(CheckIndex, IsBuiltForWhatIsWanted) {
  SampleIndex sample;
  sample.sample.put({{1, text}});
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
  sample.sample.put({{1, text}});
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
  EXPECT_FALSE(sample.index.of(FileIdentity{1, 2}));
  sample.await_told(2);
  EXPECT_TRUE(sample.current());
}

TEST(CheckIndex, BuildsNothingAfterItsEnd) {
  SampleIndex sample;
  EXPECT_TRUE(sample.index.stop(std::chrono::hours(1)));
  sample.want(80, plenty);
  EXPECT_FALSE(sample.current());
}

// Questions are added and asked for by two threads while it is built again and again.
TEST(CheckIndex, AnswersWhileTheBankGrows) {
  SampleIndex sample;
  constexpr int count = 40;
  std::atomic<int> added = 0;
  std::thread asking([&] {
    ReadingState state(sample.sample.state);
    while (added < count) {
      const int known = added;
      must(state.open());
      const std::vector<iteration::AskedQuestion> asked = {
          {std::nullopt, text + std::to_string(known), std::nullopt}};
      const auto index = sample.index.of(state.bank_file());
      const auto outcomes =
          must(iteration::check_questions(asked, state.store(), state.bank(), {}, index.get()));
      if (known > 0) {
        EXPECT_EQ(outcomes[0].duplicate_of, known);
      }
    }
  });
  for (int number = 1; number <= count; ++number) {
    sample.want(80, plenty + static_cast<std::size_t>(number));
    const std::vector<iteration::AskedQuestion> asked = {
        {number, text + std::to_string(number), std::nullopt}};
    const auto index = sample.current();
    must(iteration::add_new_questions(asked, sample.sample.store, sample.sample.bank, {}, sample.sample.clock,
                                      index.get()));
    added = number;
  }
  asking.join();
  EXPECT_TRUE(sample.index.stop(std::chrono::hours(1)));
}

TEST(ReadingState, OpensWhatWasReplaced) {
  SampleState sample;
  sample.put({{1, text}});
  ReadingState reading(sample.state);
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
