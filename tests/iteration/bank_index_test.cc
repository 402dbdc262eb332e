#include "iteration/bank_index.h"

#include <initializer_list>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "db/bank_reading.h"
#include "db/fingerprints.h"
#include "db/snapshot.h"
#include "iteration/question_check.h"
#include "refine/parts.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

const std::string one_text = "一二三四五六七八九十";
const std::string other_text = "子丑寅卯辰巳午未申酉";

constexpr BankIndex::Limits small{.bytes = std::size_t{1} << 30U, .few = 3, .max_changes = 40};

Result<std::shared_ptr<BankIndex>> built(SampleState& sample, BankIndex::Limits limits = small) {
  must(db::bring_texts_up_to_date(sample.bank, {}, no_progress));
  db::Bank bank = must(db::Bank::open(sample.state, db::Access::read_only));
  return BankIndex::build(bank, sample.settings.refine, limits, [] { return Status(); });
}

std::vector<QuestionId> found(BankIndex& index, const std::string& text) {
  finder::QuestionIndex::Scratch scratch;
  const refine::Parts parts = refine::parts_of(text);
  return index.find(refine::sign_fingerprint(parts), finder::HanQuery(parts.han, index.settings()), scratch);
}

// Signs that some have and most have not, then characters of a small alphabet, so that many are alike.
std::string random_text(std::mt19937_64& random) {
  static const std::vector<std::string> characters = {"一", "二", "三", "四", "五", "六", "七", "八"};
  std::string text = random() % 4 == 0 ? std::to_string(random() % 2) : "";
  for (std::size_t length = random() % 12; length > 0; --length) text += characters[random() % 8];
  return random() % 30 == 0 ? "" : text;
}

std::vector<AskedQuestion> random_questions(std::mt19937_64& random) {
  std::vector<AskedQuestion> questions(1 + random() % 6);
  for (AskedQuestion& question : questions) {
    question.text = random() % 3 == 0 ? questions[random() % questions.size()].text : random_text(random);
    if (random() % 8 != 0) question.id = static_cast<QuestionId>(1 + random() % 300);
  }
  return questions;
}

// Makes the same change in each.
void change(std::mt19937_64& random, std::initializer_list<SampleState*> samples) {
  const auto id = static_cast<QuestionId>(1 + random() % 300);
  std::map<QuestionId, std::string> questions;
  for (std::size_t count = random() % 8; count > 0; --count)
    questions[static_cast<QuestionId>(1 + random() % 300)] = random_text(random);
  const std::uint64_t kind = random() % 6;
  for (SampleState* sample : samples) {
    if (kind == 0) sample->remove(id);
    if (kind == 1) (void)sample->sweep();
    if (kind > 1) sample->put(questions);
  }
}

void expect_same(const std::vector<CheckOutcome>& actual, const std::vector<CheckOutcome>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(actual[i].duplicate_of, expected[i].duplicate_of);
    EXPECT_EQ(actual[i].added, expected[i].added);
    EXPECT_EQ(actual[i].refused, expected[i].refused);
  }
}

class BankIndexRandom : public testing::TestWithParam<refine::DuplicateSettings> {};

// Two banks are changed, asked and added to, the one with an index, which is built anew now and then.
TEST_P(BankIndexRandom, ChangesNoAnswer) {
  std::mt19937_64 random(20261120);
  for (int round = 0; round < 2; ++round) {
    SampleState sample;
    SampleState twin;
    sample.settings.refine = twin.settings.refine = GetParam();
    for (int i = 0; i < 10; ++i) change(random, {&sample, &twin});
    std::shared_ptr<BankIndex> index = must(built(sample));
    db::Bank bank = must(db::Bank::open(sample.state, db::Access::read_only));
    for (int step = 0; step < 20; ++step) {
      SCOPED_TRACE(testing::Message() << "round " << round << ", step " << step);
      change(random, {&sample, &twin});
      const std::vector<AskedQuestion> asked = random_questions(random);
      expect_same(must(check_questions(asked, sample.store, bank, {GetParam(), {}}, index.get())),
                  must(check_questions(asked, twin.store, twin.bank, {GetParam(), {}})));
      expect_same(must(add_new_questions(asked, sample.store, sample.writer, sample.bank, {GetParam(), {}},
                                         {}, sample.clock, index.get())),
                  must(add_new_questions(asked, twin.store, twin.writer, twin.bank, {GetParam(), {}}, {},
                                         twin.clock)));
      if (step % 10 == 9) index = must(built(sample));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, BankIndexRandom,
                         testing::Values(refine::DuplicateSettings{80, refine::Similarity::levenshtein},
                                         refine::DuplicateSettings{50, refine::Similarity::levenshtein},
                                         refine::DuplicateSettings{100, refine::Similarity::levenshtein},
                                         refine::DuplicateSettings{1, refine::Similarity::levenshtein},
                                         refine::DuplicateSettings{80, refine::Similarity::lcs},
                                         refine::DuplicateSettings{60, refine::Similarity::lcs},
                                         refine::DuplicateSettings{.signs = refine::SignRule::any},
                                         refine::DuplicateSettings{.compare = refine::ComparedText::text},
                                         refine::DuplicateSettings{.similarity = refine::Similarity::lcs,
                                                                   .signs = refine::SignRule::any,
                                                                   .compare = refine::ComparedText::text}));

TEST(BankIndex, FollowsWhatIsAddedAndChanged) {
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = must(built(sample));
  sample.put({{1, other_text}, {2, other_text}});
  EXPECT_TRUE(must(index->follow(sample.bank)));
  EXPECT_EQ(found(*index, other_text), (std::vector<QuestionId>{1, 2}));
}

TEST(BankIndex, FollowsFingerprintsThatAreComputedAnew) {
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = must(built(sample));
  must(db::refresh_texts(sample.bank, {}, must(sample.bank.fingerprint_version()), [](std::uint64_t) {}));
  sample.put({{2, other_text}});
  EXPECT_TRUE(must(index->follow(sample.bank)));
  EXPECT_EQ(found(*index, one_text), (std::vector<QuestionId>{1}));
  EXPECT_EQ(found(*index, other_text), (std::vector<QuestionId>{2}));
}

// In mid-refresh, what was changed before it is not among the changes yet.
TEST(BankIndex, DoesNotFollowFingerprintsThatAreBeingComputed) {
  constexpr QuestionId batch = 10'000;  // of a refresh
  std::map<QuestionId, std::string> many;
  for (QuestionId id = 1; id <= batch; ++id) many[id] = "1";
  SampleState sample;
  sample.put(many);
  const auto index = must(built(sample, {.bytes = small.bytes, .few = 3, .max_changes = 10 * batch}));
  sample.put({{batch + 1, one_text}});
  int batches = 0;
  must(db::refresh_texts(sample.bank, {}, must(sample.bank.fingerprint_version()), [&](std::uint64_t) {
    ++batches;
    EXPECT_FALSE(must(index->follow(sample.bank)));
  }));
  EXPECT_EQ(batches, 2);
  EXPECT_FALSE(must(index->follow(sample.bank)));  // the change before it is not known any more
  EXPECT_TRUE(index->is_outgrown());
}

// Who searches must not wait for it; were the index locked, this would be an error.
TEST(BankIndex, IsSearchedWhileItFollows) {
  std::map<QuestionId, std::string> many;
  for (QuestionId id = 2; id < 20'000; ++id) many[id] = "1";
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = must(built(sample, {.bytes = small.bytes, .few = 3, .max_changes = many.size()}));
  sample.put(many);
  db::Bank bank = must(db::Bank::open(sample.state, db::Access::read_only));
  int searches = 0;
  bank.on_activity([&](db::Activity) {
    ++searches;
    EXPECT_EQ(found(*index, one_text), (std::vector<QuestionId>{1}));
  });
  EXPECT_TRUE(must(index->follow(bank)));
  EXPECT_GT(searches, 0);
  EXPECT_EQ(found(*index, "1").size(), many.size());
}

TEST(BankIndex, DoesNotAnswerForAnOlderBank) {
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = must(built(sample));
  db::Bank bank = must(db::Bank::open(sample.state, db::Access::read_only));
  {
    const db::Snapshot view = must(db::Snapshot::take(bank));
    EXPECT_TRUE(must(index->follow(bank)));
    sample.put({{2, other_text}});
    EXPECT_TRUE(must(index->follow(sample.bank)));
    EXPECT_FALSE(must(index->follow(bank)));
  }
  EXPECT_TRUE(must(index->follow(bank)));
}

TEST(BankIndex, GivesUpWhenTooMuchChanged) {
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = must(built(sample));
  std::map<QuestionId, std::string> many;
  for (QuestionId id = 2; id < 10; ++id) many[id] = other_text;
  sample.put(many);
  EXPECT_FALSE(index->is_crowded());
  EXPECT_TRUE(must(index->follow(sample.bank)));
  EXPECT_TRUE(index->is_crowded());
  for (QuestionId id = 10; id < 100; ++id) many[id] = other_text;
  sample.put(many);
  EXPECT_FALSE(must(index->follow(sample.bank)));
  EXPECT_EQ(must(check_questions(std::vector<AskedQuestion>{{std::nullopt, other_text, std::nullopt}},
                                 sample.store, sample.bank, {sample.settings.refine, {}}, index.get()))[0]
                .duplicate_of->keeper,
            2);
}

TEST(BankIndex, IsNotUsedForOtherSettings) {
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = must(built(sample));
  sample.settings.refine.min_similarity = 10;
  const std::vector<AskedQuestion> asked = {{std::nullopt, "一二", std::nullopt}};
  EXPECT_EQ(
      must(check_questions(asked, sample.store, sample.bank, {sample.settings.refine, {}}, index.get()))[0]
          .duplicate_of->keeper,
      1);
}

TEST(BankIndex, IsRefusedWhereItDoesNotFit) {
  SampleState sample;
  sample.put({{1, one_text}});
  const auto index = built(sample, {.bytes = 10});
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::config);
}

TEST(BankIndex, IsGivenUpWhenToldSo) {
  SampleState sample;
  sample.put({{1, one_text}});
  must(db::bring_texts_up_to_date(sample.bank, {}, no_progress));
  const auto index = BankIndex::build(sample.bank, {}, small, []() -> Status {
    return Error{ErrorCode::busy, "stop"};
  });
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().message, "stop");
}

}  // namespace
}  // namespace qdedup::iteration
