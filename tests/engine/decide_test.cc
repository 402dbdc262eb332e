#include "engine/decide.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "refine/parts.h"

namespace qdedup::engine {
namespace {

// One component alone may take minutes.
TEST(Decide, GivesSignsOfLifeWhileLongTextsAreCompared) {
  static const std::vector<std::string> characters = {"甲", "乙", "丙", "丁"};
  constexpr QuestionId questions = 4;
  std::mt19937_64 random(1);
  Component component;
  std::vector<std::string> texts(questions);
  for (QuestionId id = 1; id <= questions; ++id) {
    std::string& text = texts[static_cast<std::size_t>(id - 1)];
    for (int i = 0; i < 20'000; ++i) text += characters[random() % characters.size()];
    component.ids.push_back(id);
    component.questions.push_back({true, true, {text}});
  }
  component.clusters = {component.ids};
  const refine::CharacterCounts bank;
  int signs_of_life = 0;
  const auto outcome = decide({component}, {}, {{}, bank}, miner::one_by_one, [&] { ++signs_of_life; });
  EXPECT_TRUE(outcome.deletions.empty());
  EXPECT_GE(signs_of_life, questions * (questions - 1) / 2);
}

TEST(Decide, AnnotatesDuplicatesOnly) {
  const refine::CharacterCounts characters;
  const ComparedQuestion question(9, {"小明买了3本新书"}, {});
  const auto row = annotate(question, ComparedQuestion(2, {"小明买了3本书"}, {}), {{}, characters});
  ASSERT_TRUE(row);
  EXPECT_EQ(row->question, 9);
  EXPECT_EQ(row->keeper, 2);
  EXPECT_EQ(row->distance, 1U);
  EXPECT_EQ(row->question_hash, refine::text_hash("小明买了3本新书"));
  EXPECT_FALSE(annotate(question, ComparedQuestion(2, {"小明买了4本书"}, {}), {{}, characters}));
}

}  // namespace
}  // namespace qdedup::engine
