#include "iteration/question_check.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "db/bank_import.h"
#include "db/fingerprints.h"
#include "markup/compared.h"
#include "refine/duplicate_test.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

const std::string asked_text = "一二三四五六七八九十";
const std::string near_text = "一二三四五六七八九甲";
const std::string unlike_text = "子丑寅卯辰巳午未申酉";

std::vector<CheckOutcome> add(SampleState& sample, const std::vector<AskedQuestion>& questions) {
  return must(add_new_questions(questions, sample.store, sample.writer, sample.bank,
                                {sample.settings.refine, {}}, {}, sample.clock));
}

CheckOutcome add(SampleState& sample, QuestionId id, const std::string& text) {
  return add(sample, {{id, text, std::nullopt}}).front();
}

SampleState& with_two_alike(SampleState& sample) {
  sample.put({{1, asked_text}, {7, asked_text}});
  EXPECT_TRUE(sample.sweep());
  return sample;
}

TEST(QuestionCheck, PassesOverWhatIsDeleted) {
  SampleState sample;
  EXPECT_EQ(add(with_two_alike(sample), 8, asked_text).duplicate_of->keeper, 1);
}

TEST(QuestionCheck, CountsADeletedQuestionWhoseTextWasChanged) {
  SampleState sample;
  with_two_alike(sample).put({{7, unlike_text}});
  const CheckOutcome outcome = add(sample, 8, unlike_text);
  EXPECT_EQ(outcome.duplicate_of->keeper, 7);
  EXPECT_FALSE(outcome.added);
}

TEST(QuestionCheck, CountsADeletedQuestionWhoseKeeperIsGone) {
  SampleState sample;
  with_two_alike(sample).remove(1);
  const CheckOutcome outcome = add(sample, 8, asked_text);
  EXPECT_EQ(outcome.duplicate_of->keeper, 7);
  EXPECT_FALSE(outcome.added);
}

// Those that were listed as duplicates of the one that returns are none that it duplicates, however many they
// are.
TEST(QuestionCheck, LooksBeyondTheDuplicatesOfAKeeperThatReturns) {
  SampleState sample;
  sample.put({{5, asked_text}, {10, asked_text}, {11, asked_text}, {12, asked_text}});
  EXPECT_TRUE(sample.sweep());
  sample.remove(5);
  sample.put({{20, asked_text}});
  const std::vector<CheckOutcome> outcomes =
      must(check_questions(std::vector<AskedQuestion>{{.id = 5, .text = asked_text}}, sample.store,
                           sample.bank, {sample.settings.refine, {}}));
  ASSERT_TRUE(outcomes.front().duplicate_of);
  EXPECT_EQ(outcomes.front().duplicate_of->keeper, 20);
}

TEST(QuestionCheck, CountsTheDuplicatesOfAKeeperThatReturnsWhereATextChanged) {
  SampleState sample;
  with_two_alike(sample).remove(1);
  const auto duplicate_of_returning = [&](const std::string& text) {
    const std::vector<CheckOutcome> outcomes =
        must(check_questions(std::vector<AskedQuestion>{{.id = 1, .text = text}}, sample.store, sample.bank,
                             {sample.settings.refine, {}}));
    const auto& row = outcomes.front().duplicate_of;
    return row ? row->keeper : 0;
  };
  EXPECT_EQ(duplicate_of_returning(asked_text), 0);
  EXPECT_EQ(duplicate_of_returning(near_text), 7);
  sample.put({{7, near_text}});
  EXPECT_EQ(duplicate_of_returning(asked_text), 7);
}

TEST(QuestionCheck, AddsNothingWhileAnImportIsInterrupted) {
  SampleState sample;
  sample.put({{1, asked_text}});
  {
    db::BankImport loading = must(db::BankImport::begin(sample.bank, "cut.csv", "", 1));
    const std::vector<db::BankQuestion> rows = {db::bank_question(2, asked_text, std::nullopt)};
    must(loading.put_all(rows, characters_of(rows)));
  }
  ASSERT_TRUE(must(sample.bank.interrupted_import()));
  const std::vector<AskedQuestion> asked = {{8, unlike_text, std::nullopt}};
  const auto outcome = add_new_questions(asked, sample.store, sample.writer, sample.bank,
                                         {sample.settings.refine, {}}, {}, sample.clock);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::data);
  EXPECT_TRUE(must(sample.bank.interrupted_import()));
  EXPECT_FALSE(must(sample.bank.find(8)));
}

TEST(QuestionCheck, NamesTheSmallestIdAmongThoseThatEnteredBefore) {
  const AskedQuestion entering = {100, "一二三四五六丙丁九十", std::nullopt};
  const AskedQuestion duplicate = {600, "一二三四五六七八九十", std::nullopt};
  for (const bool duplicate_first : {false, true}) {
    SCOPED_TRACE(duplicate_first);
    SampleState sample;
    sample.put({{500, "一二三四五六七八甲乙"}});
    std::vector<CheckOutcome> outcomes =
        add(sample, duplicate_first ? std::vector{duplicate, entering} : std::vector{entering, duplicate});
    if (duplicate_first) std::swap(outcomes[0], outcomes[1]);
    EXPECT_TRUE(outcomes[0].added);
    EXPECT_EQ(outcomes[1].duplicate_of->keeper, duplicate_first ? 500 : 100);
    EXPECT_EQ(outcomes[1].duplicate_of->distance, 2U);
  }
}

// How often it shows that it gets on while it compares each of `asked` with as many equal questions.
QuestionId signs_of_life(const std::vector<std::string>& asked_texts) {
  SampleState sample;
  const auto count = static_cast<QuestionId>(asked_texts.size());
  std::map<QuestionId, std::string> questions;
  std::vector<AskedQuestion> asked;
  for (QuestionId id = 1; id <= count; ++id) {
    questions[id] = asked_text;
    asked.push_back({count + id, asked_texts[static_cast<std::size_t>(id - 1)], std::nullopt});
  }
  sample.put(questions);
  add(sample, {});  // the bank is of these rules
  QuestionId told = 0;
  sample.bank.on_activity([&](db::Activity) { ++told; });
  for (const CheckOutcome& outcome : add(sample, asked)) EXPECT_EQ(outcome.duplicate_of->keeper, 1);
  return told;
}

// Which a daemon would else take for a hang.
TEST(QuestionCheck, ShowsThatItGetsOnWhileItCompares) {
  const std::string others = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉";
  constexpr std::size_t character = 3;  // bytes
  std::vector<std::string> asked;
  for (std::size_t begin = 0; begin < others.size(); begin += character)
    asked.push_back(std::string(asked_text).replace(0, character, others, begin, character));
  EXPECT_GE(signs_of_life(asked), std::ssize(asked) * std::ssize(asked));
}

TEST(QuestionCheck, ComparesEqualQuestionsTogether) {
  EXPECT_LT(signs_of_life(std::vector<std::string>(300, asked_text)), 3'000);
}

TEST(QuestionCheck, StopsBetweenComparisonsAndAddsNothing) {
  SampleState sample;
  std::map<QuestionId, std::string> questions;
  for (QuestionId id = 1; id <= 20; ++id) questions[id] = unlike_text;
  sample.put(questions);
  add(sample, {});  // the bank is of these rules
  const auto index = must(
      BankIndex::build(sample.bank, sample.settings.refine, {.bytes = 1U << 20U}, [] { return Status(); }));
  const std::vector<AskedQuestion> asked = {{100, asked_text, std::nullopt},
                                            {101, unlike_text, std::nullopt}};
  for (BankIndex* used : {static_cast<BankIndex*>(nullptr), index.get()}) {
    const engine::DecisionSettings settings{sample.settings.refine, {}};
    bool done = false;
    for (int most = 0; !done; ++most) {
      SCOPED_TRACE(most);
      int calls = 0;
      const GoOn go_on = [&]() -> Status {
        if (++calls > most) return Error{ErrorCode::busy, "enough"};
        return {};
      };
      done = check_questions(asked, sample.store, sample.bank, settings, used, go_on).ok();
      EXPECT_EQ(calls, done ? most : most + 1);
      EXPECT_TRUE(!done || most > (used == nullptr ? 20 : 1));
      calls = 0;
      EXPECT_EQ(add_new_questions(asked, sample.store, sample.writer, sample.bank, settings, {}, sample.clock,
                                  used, go_on)
                    .ok(),
                false);
      EXPECT_FALSE(must(sample.bank.find(100)));
    }
  }
}

TEST(QuestionCheck, SaysWhyAQuestionDoesNotEnter) {
  SampleState sample;
  sample.put({{1, asked_text}});
  const std::vector<CheckOutcome> outcomes =
      add(sample, {{8, "", std::nullopt},
                   {std::nullopt, unlike_text, std::nullopt},
                   {1, unlike_text, std::nullopt},
                   {9, std::string(refine::max_compared_bytes + 1, 'a'), std::nullopt},
                   {10, " \t\n", std::nullopt},
                   {11, "____（  ）", std::nullopt}});
  EXPECT_EQ(outcomes[0].refused, "it has no text");
  EXPECT_EQ(outcomes[1].refused, "a question enters with an id only");
  EXPECT_EQ(outcomes[2].refused, "the id is in the bank already, with another text, answer or images");
  EXPECT_EQ(outcomes[3].refused, markup::too_long_rule);
  EXPECT_EQ(outcomes[4].refused, "nothing of its text is compared");
  EXPECT_EQ(outcomes[5].refused, "nothing of its text is compared");
  for (const CheckOutcome& outcome : outcomes) EXPECT_FALSE(outcome.added);
}

}  // namespace
}  // namespace qdedup::iteration
