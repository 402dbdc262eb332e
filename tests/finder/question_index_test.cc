#include "finder/question_index.h"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "refine/parts.h"
#include "refine/unicode.h"
#include "tests/support/random_texts.h"

namespace qdedup::finder {
namespace {

using refine::DuplicateSettings;
using refine::Similarity;

constexpr std::size_t plenty = std::size_t{1} << 30U;

struct Question {
  QuestionId id;
  std::string text;
};

// Families of texts within the threshold and a little beyond, of which most have no signs, and ids with gaps.
std::vector<Question> random_questions(std::mt19937_64& random, std::size_t length, int min_similarity) {
  constexpr std::size_t alphabet = 48;
  const std::size_t most_edits = length * static_cast<std::size_t>(100 - min_similarity) / 100 + 2;
  std::vector<Question> questions;
  for (int family = 0; family < 4; ++family) {
    const std::u32string original = random_ideographs(random, length + random() % 3, alphabet);
    for (int i = 0; i < 10; ++i) {
      std::string text = random() % 4 == 0 ? std::to_string(random() % 2) : "";
      text += refine::to_utf8(edited(random, original, random() % (most_edits + 1), alphabet));
      if (text.empty()) text = "，";
      const QuestionId id =
          questions.empty() ? 1 : questions.back().id + 1 + static_cast<QuestionId>(random() % 3);
      questions.push_back({id, text});
    }
  }
  return questions;
}

QuestionIndex::Source source_of(const std::vector<Question>& questions) {
  return [&](const QuestionIndex::Take& take) -> Status {
    for (const Question& question : questions)
      QDEDUP_TRY(take(question.id, refine::sign_fingerprint(refine::parts_of(question.text)), question.text));
    return {};
  };
}

QuestionIndex indexed(const std::vector<Question>& questions, const DuplicateSettings& settings,
                      std::size_t few) {
  return *QuestionIndex::build(source_of(questions), settings, {.bytes = plenty, .few = few});
}

std::vector<QuestionId> duplicates(const std::vector<Question>& questions, const std::string& text,
                                   const DuplicateSettings& settings) {
  std::vector<QuestionId> ids;
  for (const Question& question : questions) {
    if (refine::compare(refine::parts_of(text), refine::parts_of(question.text), settings).duplicate)
      ids.push_back(question.id);
  }
  return ids;
}

void expect_all_found(const std::vector<QuestionId>& expected, std::vector<QuestionId> found) {
  std::ranges::sort(found);
  EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
  EXPECT_TRUE(std::ranges::includes(found, expected));
}

class QuestionIndexRandom : public testing::TestWithParam<std::tuple<Similarity, int>> {};

TEST_P(QuestionIndexRandom, MissesNoDuplicate) {
  const DuplicateSettings settings{.min_similarity = std::get<1>(GetParam()),
                                   .similarity = std::get<0>(GetParam())};
  std::mt19937_64 random(20261120);
  QuestionIndex::Scratch scratch;
  for (const std::size_t length : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 10U, 19U, 21U, 44U, 46U, 96U, 120U, 260U}) {
    const std::vector<Question> questions = random_questions(random, length, settings.min_similarity);
    IndexDelta delta;
    for (const Question& question : questions) {
      const refine::Parts parts = refine::parts_of(question.text);
      delta.add(question.id, refine::sign_fingerprint(parts), parts.han);
    }
    for (const std::size_t few : {0U, 6U, 1000U}) {
      const QuestionIndex index = indexed(questions, settings, few);
      for (const Question& asked : questions) {
        SCOPED_TRACE(testing::Message() << "length " << length << ", few " << few << ", " << asked.id);
        const refine::Parts parts = refine::parts_of(asked.text);
        const HanQuery query(parts.han, settings);
        const std::vector<QuestionId> expected = duplicates(questions, asked.text, settings);
        std::vector<QuestionId> found;
        index.find(refine::sign_fingerprint(parts), query, scratch, found);
        expect_all_found(expected, found);
        found.clear();
        delta.find(refine::sign_fingerprint(parts), query, found);
        expect_all_found(expected, found);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, QuestionIndexRandom,
                         testing::Combine(testing::Values(Similarity::levenshtein, Similarity::lcs),
                                          testing::Values(1, 30, 50, 70, 79, 80, 81, 90, 99, 100)));

TEST(QuestionIndex, LooksAtFewOthers) {
  std::mt19937_64 random(7);
  std::vector<Question> questions;
  for (QuestionId id = 1; id <= 3000; ++id)
    questions.push_back({id, refine::to_utf8(random_ideographs(random, 40, 2000))});
  const QuestionIndex index = indexed(questions, {}, 100);
  QuestionIndex::Scratch scratch;
  std::vector<QuestionId> found;
  for (const Question& asked : questions) {
    const refine::Parts parts = refine::parts_of(asked.text);
    index.find(refine::sign_fingerprint(parts), HanQuery(parts.han, {}), scratch, found);
  }
  EXPECT_LT(found.size(), questions.size() + 30);
  EXPECT_EQ(index.size(), questions.size());
}

TEST(QuestionIndex, HoldsNothing) {
  const QuestionIndex index = indexed({}, {}, 0);
  QuestionIndex::Scratch scratch;
  std::vector<QuestionId> found;
  index.find(0, HanQuery(U"一二", {}), scratch, found);
  EXPECT_TRUE(found.empty());
}

// The least memory with which it is built.
std::size_t needed_bytes(const std::vector<Question>& questions, std::size_t few) {
  std::size_t least = 0;
  for (std::size_t most = plenty; least < most;) {
    const std::size_t bytes = least + (most - least) / 2;
    if (QuestionIndex::build(source_of(questions), {}, {.bytes = bytes, .few = few}).ok()) {
      most = bytes;
    } else {
      least = bytes + 1;
    }
  }
  return least;
}

TEST(QuestionIndex, KeepsToItsMemory) {
  std::mt19937_64 random(8);
  const std::vector<Question> questions = random_questions(random, 100, 80);
  for (const std::size_t few : {0U, 1000U}) {
    const std::size_t needed = needed_bytes(questions, few);
    const auto index = QuestionIndex::build(source_of(questions), {}, {.bytes = needed, .few = few});
    ASSERT_TRUE(index.ok());
    EXPECT_LE(index->bytes(), needed);
    EXPECT_GT(2 * index->bytes(), needed);
    const auto none = QuestionIndex::build(source_of(questions), {}, {.bytes = needed - 1, .few = few});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::config);
  }
}

// Where it only stopped counting, and where it knows.
TEST(LargeQuestionIndex, TellsHowMuchItWouldTake) {
  const std::vector<Question> questions(100'000, {1, "1"});
  const std::size_t needed = needed_bytes(questions, 1500);
  for (const std::size_t bytes : {std::size_t{2} << 20U, needed - 1}) {
    const auto index = QuestionIndex::build(source_of(questions), {}, {.bytes = bytes});
    ASSERT_FALSE(index.ok());
    const std::size_t mebibytes = std::min(needed - 1, bytes) >> 20U;
    EXPECT_EQ(index.error().message,
              "an index of more than " + std::to_string(mebibytes) + " MiB would be needed");
  }
}

TEST(QuestionIndex, PassesAFailureOn) {
  const auto index = QuestionIndex::build(
      [](const QuestionIndex::Take&) -> Status {
        return Error{ErrorCode::io, "gone"};
      },
      {}, {.bytes = plenty});
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().message, "gone");
}

TEST(QuestionIndex, RefusesASourceThatChanges) {
  std::mt19937_64 random(9);
  for (int change = 1; change <= 3; ++change) {
    std::vector<Question> questions = random_questions(random, 30, 80);
    int reading = 0;
    const auto index = QuestionIndex::build(
        [&](const QuestionIndex::Take& take) -> Status {
          if (reading++ == change) questions.pop_back();
          return source_of(questions)(take);
        },
        {}, {.bytes = plenty, .few = 0});
    ASSERT_FALSE(index.ok());
    EXPECT_EQ(index.error().code, ErrorCode::internal);
  }
}

}  // namespace
}  // namespace qdedup::finder
