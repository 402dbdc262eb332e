#include "iteration/sweep.h"

#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/swept_questions.h"
#include "db/verified_pairs.h"
#include "refine/parts.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

using Questions = std::map<QuestionId, std::string>;
using Pairs = std::vector<std::pair<QuestionId, QuestionId>>;

// The questions of several sign groups, one of them larger than a block of the sweep.
Questions many_questions(std::size_t count) {
  std::mt19937_64 random(3);
  Questions questions;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    if (i % 4 == 0 || texts.empty()) {
      for (int c = 0; c < 12; ++c)
        text += std::string("\xE4\xB8") + static_cast<char>(0x80 + random() % 0x40);
      if (random() % 5 == 0) text += std::to_string(random() % 3);
    } else {
      text = texts[random() % texts.size()];
      if (text.size() > 24 && random() % 2 == 0) text = text.substr(3 * (random() % 4));
    }
    texts.push_back(text);
    questions[static_cast<QuestionId>(random() % 1'000'000 + 1)] = text;
  }
  return questions;
}

Pairs listed(SampleState& sample) {
  Pairs pairs;
  for (const db::DeletionRow& row : sample.deletions({})) pairs.emplace_back(row.question, row.keeper);
  return pairs;
}

struct Found {
  Pairs listed;
  Pairs further;

  friend bool operator==(const Found&, const Found&) = default;
};

Found found_in(SampleState& sample) {
  Found found{.listed = listed(sample), .further = {}};
  db::DeletionCursor rows = must(db::VerifiedPairs(sample.store).all());
  while (const auto row = must(rows.next())) found.further.emplace_back(row->question, row->keeper);
  return found;
}

// What comes second is held against what was swept before.
Found swept(const Questions& questions, const Questions& second, unsigned threads, SweepLimits limits) {
  SampleState sample;
  sample.settings.resources.threads = threads;
  for (const Questions* put : {&questions, &second}) {
    if (put->empty()) continue;
    sample.put(*put);
    sample.sweep(limits);
  }
  return found_in(sample);
}

const SweepLimits& many_parts() {
  static const SweepLimits limits{.indexed_at_once = 700, .block = 100, .large_group = 1000};
  return limits;
}

TEST(Sweep, DoesNotDependOnThreadsPassesBlocksOrParts) {
  const Questions questions = many_questions(6000);
  const Found one = swept(questions, {}, 1, {});
  EXPECT_GT(one.listed.size(), 500U);
  EXPECT_GT(one.further.size(), 10U);
  EXPECT_EQ(swept(questions, {}, 3, {}), one);
  EXPECT_EQ(swept(questions, {}, 2, {.questions_per_pass = 1}), one);
  EXPECT_EQ(swept(questions, {}, 2, {.indexed_at_once = 1000}), one);
  EXPECT_EQ(swept(questions, {}, 3, {.block = 100, .large_group = 1000}), one);
  EXPECT_EQ(swept(questions, {}, 3, many_parts()), one);
}

// Every third question is new, so that each block has such that were swept and such that were not.
TEST(Sweep, ComparesNewQuestionsWithAllInPartsToo) {
  Questions questions = many_questions(6000);
  Questions second;
  for (auto next = questions.begin(); next != questions.end();) {
    const auto question = next++;
    if (question->first % 3 == 0) second.insert(questions.extract(question));
  }
  const Found one = swept(questions, second, 1, {});
  EXPECT_GT(one.listed.size(), 500U);
  EXPECT_EQ(swept(questions, second, 3, {.block = 100, .large_group = 1000}), one);
  EXPECT_EQ(swept(questions, second, 3, many_parts()), one);
}

// With one thread, as blocks grow with the threads.
std::size_t times_told(SampleState& sample, SweepLimits limits) {
  sample.settings.resources.threads = 1;
  std::size_t told = 0;
  must(run_sweep({sample.store, sample.writer, sample.bank, sample.settings, sample.clock,
                  [&](std::string_view, std::uint64_t, std::uint64_t, std::string_view) { ++told; }},
                 limits));
  return told;
}

// What waits for it takes it for dead otherwise.
TEST(Sweep, TellsOfItselfAtTheEndOfAPartToo) {
  const SweepLimits one{.block = 4, .large_group = 1000};
  SweepLimits parts = one;
  parts.indexed_at_once = 400;
  SampleState sample;
  sample.put(many_questions(2000));
  SampleState in_parts;
  in_parts.put(many_questions(2000));
  EXPECT_GE(times_told(in_parts, parts), times_told(sample, one) + 15);
}

// Those that are not swept are indexed twice beside such that are.
TEST(Sweep, TakesMorePartsWhereItNeedsTwoIndexes) {
  std::mt19937_64 random(4);
  const auto some_different = [&](int from, int step) {
    Questions questions;
    for (int id = from; id <= 800; id += step) {
      for (int c = 0; c < 20; ++c)
        questions[id] += std::string("\xE4\xB8") + static_cast<char>(0x80 + random() % 0x40);
    }
    return questions;
  };
  const Questions first = some_different(1, 1);
  const Questions second = some_different(2, 2);
  const auto told_of_second = [&](std::size_t indexed_at_once) {
    const SweepLimits limits{.indexed_at_once = indexed_at_once, .block = 16, .large_group = 100};
    SampleState sample;
    sample.put(first);
    EXPECT_FALSE(sample.sweep(limits));
    sample.put(second);
    return times_told(sample, limits);
  };
  EXPECT_EQ(told_of_second(1200), told_of_second(10'000));
  EXPECT_GT(told_of_second(1199), told_of_second(10'000));
}

// A version that did not know parts renews the first of a bucket, and leaves the others.
TEST(Sweep, DoesNotGoByWhatAVersionWithoutPartsNoted) {
  SampleState sample;
  sample.put({{1, "一二三四五六七八九十"}, {2, "一二三四五六七八九十"}});
  db::SweptQuestions swept(sample.bank);
  must(swept.begin(refine::sign_rules_version() + ", 80 percent by " +
                   std::string(name(sample.settings.refine.similarity))));
  const std::uint64_t hash = refine::text_hash("一二三四五六七八九十");
  must(swept.replace(
      0, std::vector(db::SweptQuestions::buckets, std::vector<db::SweptQuestion>{{1, hash}, {2, hash}})));
  EXPECT_TRUE(sample.sweep());
}

TEST(Sweep, IsNoIterationWhenNothingChanges) {
  SampleState sample;
  sample.put({{1, "小红买10本书"}, {2, "小明买10本书"}, {3, "今天"}});
  ASSERT_TRUE(sample.sweep());
  EXPECT_EQ(listed(sample), (Pairs{{2, 1}}));
  EXPECT_FALSE(sample.sweep());
  sample.put({{3, "小刚买10本书"}});
  const auto second = sample.sweep();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->id, 2);
  EXPECT_EQ(listed(sample), (Pairs{{2, 1}, {3, 1}}));
}

TEST(Sweep, RefusesAnEmptyBank) {
  SampleState sample;
  EXPECT_FALSE(
      run_sweep({sample.store, sample.writer, sample.bank, sample.settings, sample.clock, no_progress}).ok());
}

// What was found with one threshold says nothing about another.
TEST(Sweep, BeginsAnewWhenSettingsChange) {
  SampleState sample;
  sample.put({{1, "一二三四五六七八九十"}, {2, "一二三四五六七甲乙丙"}, {3, "子丑寅卯辰巳午未申酉"}});
  EXPECT_FALSE(sample.sweep());
  sample.settings.refine.min_similarity = 70;
  ASSERT_TRUE(sample.sweep());
  EXPECT_EQ(listed(sample), (Pairs{{2, 1}}));
}

// A question that stayed alone may be swept; its text may change to that of another.
TEST(Sweep, ComparesChangedQuestionsWithAll) {
  SampleState sample;
  sample.put({{1, "一二三四五"}, {2, "甲乙丙丁戊"}, {3, "子丑寅卯辰"}});
  EXPECT_FALSE(sample.sweep());
  EXPECT_EQ(must(db::SweptQuestions(sample.bank).in(0, db::SweptQuestions::buckets)).size(), 3U);
  sample.put({{1, "子丑寅卯辰"}});
  ASSERT_TRUE(sample.sweep());
  EXPECT_EQ(listed(sample), (Pairs{{3, 1}}));
}

TEST(Sweep, TakesPartOfTheBankAfterTheOther) {
  const Questions questions = many_questions(4000);
  SampleState sample;
  Questions part;
  for (const auto& question : questions) {  // by id: what comes later never keeps what came before
    part.insert(question);
    if (part.size() % 900 != 0) continue;
    sample.put(part);
    sample.sweep();
    part.clear();
  }
  sample.put(part);
  sample.sweep();
  EXPECT_EQ(listed(sample), swept(questions, {}, 1, {}).listed);
}

// Runs a sweep in a process of its own, which dies when the sweep tells of its progress for the `last` time.
// Answers whether it came to its end before that.
bool sweep_until(const db::StateFolder& folder, int last) {
  const pid_t child = fork();
  if (child == 0) {
    db::StoreWriter writer = must(db::StoreWriter::open(folder));
    db::Store store = must(db::Store::open(folder, db::Access::read_only));
    db::Bank bank = must(db::Bank::open(folder, db::Access::read_write));
    config::Settings settings;
    settings.resources.threads = 1;
    int told = 0;
    const auto done = run_sweep({store, writer, bank, settings, StoppedClock(),
                                 [&](std::string_view, std::uint64_t, std::uint64_t, std::string_view) {
                                   if (++told == last) _exit(1);
                                 }},
                                {.questions_per_pass = 300});
    _exit(done.ok() ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_NE(WEXITSTATUS(status), 2);
  return WEXITSTATUS(status) == 0;
}

TEST(Sweep, ThatIsKilledAgainAndAgainComesToTheSameList) {
  const Questions questions = many_questions(3000);
  TemporaryFolder folder;
  const db::StateFolder state{folder.path().string()};
  {
    ASSERT_TRUE(db::StoreWriter::open(state).ok());
    db::Bank bank = must(db::Bank::open(state, db::Access::read_write));
    put_questions(bank, questions);
  }
  int killed = 0;
  while (!sweep_until(state, killed + 2)) ++killed;
  EXPECT_GE(killed, 4);
  db::Store store = must(db::Store::open(state, db::Access::read_only));
  EXPECT_EQ(must(db::Iterations(store).all()).size(), 1U);
  Pairs pairs;
  db::DeletionCursor rows = must(db::Deletions(store).select({}));
  while (auto row = must(rows.next())) pairs.emplace_back(row->question, row->keeper);
  EXPECT_EQ(pairs, swept(questions, {}, 1, {}).listed);
}

}  // namespace
}  // namespace qdedup::iteration
