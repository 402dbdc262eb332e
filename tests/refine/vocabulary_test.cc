#include "refine/vocabulary.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

// Lists of one word each.
WordFiles small_files() {
  return {.calculation_fillers = "# s\n可以\n",
          .classifiers = "# s\n个\n",
          .complements = "# s\n来\n",
          .exchanges = "# s\n和 与\n",
          .fillers = "# s\n的\n",
          .homophones = "# s\n洛 珞\n",
          .misspellings = "# s\n篮 蓝\n",
          .negations = "# s\n不\n",
          .number_words = "# s\n三\n",
          .opposites = "# s\n多 / 少\n",
          .people = "# s\nsurname 王\ngiven 红 明\ntitle 老师\nperson 妈妈\n",
          .plain_words = "# s\n多媒体\n",
          .quantities = "# s\n面积\n",
          .queries = "# s\n多少 几\n谁\n",
          .relations = "# s\n比\n",
          .synonyms = "# s\n学生 同学\n",
          .units = "# s\n米 千米\n",
          .weights = ""};
}

const Vocabulary& small_vocabulary() {
  static const Result<Vocabulary> vocabulary = Vocabulary::read(small_files());
  return *vocabulary;
}

std::string error_of(const WordFiles& files) {
  const Result<Vocabulary> vocabulary = Vocabulary::read(files);
  return vocabulary.ok() ? "" : vocabulary.error().message;
}

TEST(Vocabulary, TheListsOfTheProjectAreWellFormed) { EXPECT_EQ(error_of(word_files()), ""); }

TEST(Vocabulary, FindsTheLongestWord) {
  const Vocabulary& vocabulary = small_vocabulary();
  EXPECT_EQ(vocabulary.first_word(U"多少米").length, 2U);
  EXPECT_EQ(vocabulary.first_word(U"多媒体").length, 3U);
  EXPECT_EQ(vocabulary.first_word(U"多").length, 1U);
  EXPECT_EQ(vocabulary.first_word(U"千米").kind, WordKind::unit);
}

TEST(Vocabulary, AnUnlistedCharacterIsAWordOfContent) {
  EXPECT_EQ(small_vocabulary().first_word(U"槐树"), (Word{WordKind::content, U'槐', 1}));
}

TEST(Vocabulary, SynonymsMeanTheSame) {
  const Vocabulary& vocabulary = small_vocabulary();
  EXPECT_EQ(vocabulary.first_word(U"学生").meaning, vocabulary.first_word(U"同学").meaning);
  EXPECT_NE(vocabulary.first_word(U"学生").meaning, vocabulary.first_word(U"妈妈").meaning);
}

TEST(Vocabulary, OppositesAreOrdered) {
  const Vocabulary& vocabulary = small_vocabulary();
  EXPECT_TRUE(vocabulary.opposites(U'多', U'少'));
  EXPECT_FALSE(vocabulary.opposites(U'少', U'多'));
  EXPECT_TRUE(vocabulary.has_opposite(U'少'));
  EXPECT_FALSE(vocabulary.has_opposite(U'的'));
}

TEST(Vocabulary, QueryWordsOfALineAskForTheSame) {
  const Vocabulary& vocabulary = small_vocabulary();
  const auto asked = [&](std::u32string_view word) {
    return vocabulary.asked_by(vocabulary.first_word(word).meaning);
  };
  EXPECT_EQ(asked(U"多少"), asked(U"几"));
  EXPECT_NE(asked(U"多少"), asked(U"谁"));
}

TEST(Vocabulary, ConfusableAndAlikeBothWays) {
  const Vocabulary& vocabulary = small_vocabulary();
  EXPECT_TRUE(vocabulary.confusable(U'篮', U'蓝'));
  EXPECT_TRUE(vocabulary.confusable(U'蓝', U'篮'));
  EXPECT_FALSE(vocabulary.confusable(U'篮', U'篮'));
  EXPECT_TRUE(vocabulary.exchangeable(U'与', U'和'));
  EXPECT_FALSE(vocabulary.exchangeable(U'与', U'的'));
  EXPECT_TRUE(vocabulary.homophones(U'珞', U'洛'));
  EXPECT_FALSE(vocabulary.homophones(U'珞', U'篮'));
  EXPECT_FALSE(vocabulary.homophones(U'树', U'树'));
}

TEST(Vocabulary, ReadsNamesOfPeople) {
  const Vocabulary& vocabulary = small_vocabulary();
  const std::vector<std::pair<std::u32string_view, std::size_t>> names = {
      {U"小红有", 2}, {U"王红有", 2}, {U"王小明有", 3}, {U"王红明有", 3}, {U"王老师有", 3},
      {U"小王有", 2}, {U"红红有", 2}, {U"老王有", 2},   {U"妈妈有", 2}};
  for (const auto& [text, length] : names) {
    EXPECT_EQ(vocabulary.first_word(text).kind, WordKind::person);
    EXPECT_EQ(vocabulary.first_word(text).length, length);
  }
  for (const std::u32string_view text : {U"小树", U"王树", U"红花", U"小", U"王"}) {
    EXPECT_NE(vocabulary.first_word(text).kind, WordKind::person);
  }
}

TEST(Vocabulary, RejectsMalformedLists) {
  using Break = void (*)(WordFiles&);
  const std::vector<std::pair<Break, std::string_view>> cases = {
      {[](WordFiles& f) { f.fillers = "的\n"; },
       "fillers.txt:1: no comment that says where the words come from"},
      {[](WordFiles& f) { f.fillers = "# s\n"; }, "fillers.txt:1: no words"},
      {[](WordFiles& f) { f.fillers = "# s\n\xFF\n"; }, "fillers.txt:2: not UTF-8"},
      {[](WordFiles& f) { f.fillers = "# from a book\n\n  的 了\t吗\r\n# more\nx"; },
       "fillers.txt:5: x: is not Chinese"},
      {[](WordFiles& f) { f.negations = "# s\n不\n的\n"; },
       "negations.txt:3: 的: stands twice in the lists of kinds"},
      {[](WordFiles& f) { f.synonyms = "# s\n学生\n"; }, "synonyms.txt:2: 学生: has no synonym"},
      {[](WordFiles& f) { f.synonyms = "# s\n学生 同学\n同学 伙伴\n"; },
       "synonyms.txt:3: 同学: stands twice"},
      {[](WordFiles& f) { f.opposites = "# s\n多 少\n"; }, "opposites.txt:2: 多: has no opposite"},
      {[](WordFiles& f) { f.opposites = "# s\n多 /\n"; }, "opposites.txt:2: 多: has no opposite"},
      {[](WordFiles& f) { f.opposites = "# s\n学生 / 同学\n"; },
       "opposites.txt:2: 学生: is its own opposite"},
      {[](WordFiles& f) { f.opposites = "# s\nup / 下\n"; }, "opposites.txt:2: up: is not Chinese"},
      {[](WordFiles& f) { f.units = "# s\nkm\n"; }, "units.txt:2: km: is not Chinese"},
      {[](WordFiles& f) { f.misspellings = "# s\n篮球 蓝\n"; },
       "misspellings.txt:2: 篮球: is not one character"},
      {[](WordFiles& f) { f.homophones = "# s\n洛 珞\n洛 络\n"; }, "homophones.txt:3: 洛: stands twice"},
      {[](WordFiles& f) { f.people = "# s\nsurname 欧阳\n"; },
       "people.txt:2: 欧阳: does not fit its section"},
      {[](WordFiles& f) { f.people = "# s\nuncle 王\n"; }, "people.txt:2: 王: does not fit its section"}};
  for (const auto& [spoil, message] : cases) {
    WordFiles files = small_files();
    spoil(files);
    EXPECT_EQ(error_of(files), message);
  }
}

}  // namespace
}  // namespace qdedup::refine
