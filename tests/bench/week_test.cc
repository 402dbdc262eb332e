#include "bench/week.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "import/question_reader.h"
#include "logs/files.h"
#include "miner/line_parser.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::bench {
namespace {

WeekOptions small_week(const TemporaryFolder& folder) {
  WeekOptions options;
  options.folder = folder.path().string();
  options.questions = 20'000;
  options.lines = 5'000;
  options.logs = 2;
  return options;
}

std::map<QuestionId, std::string> read_bank(const std::string& path) {
  std::map<QuestionId, std::string> texts;
  const auto reader = import::open_questions(path, logs::Files(), {});
  EXPECT_TRUE(reader.ok());
  while (true) {
    auto row = (*reader)->next();
    EXPECT_TRUE(row.ok());
    if (!row->has_value()) return texts;
    const auto& question = std::get<import::Question>((*row)->content);
    EXPECT_TRUE(texts.emplace(question.id, question.text).second) << question.id << " comes twice";
  }
}

TEST(Week, DoesNotDependOnThreads) {
  const TemporaryFolder one;
  const TemporaryFolder three;
  WeekOptions options = small_week(one);
  options.threads = 1;
  make_week(options);
  options.folder = three.path().string();
  options.threads = 3;
  make_week(options);
  for (const char* name : {"bank.jsonl", "search-1.log", "search-2.log", "planted.tsv"}) {
    EXPECT_EQ(one.read(name), three.read(name)) << name;
  }
}

TEST(Week, HasAsManyQuestionsAndLinesAsAskedFor) {
  const TemporaryFolder folder;
  make_week(small_week(folder));
  const auto bank = read_bank(folder / "bank.jsonl");
  EXPECT_EQ(bank.size(), 20'000U);
  const auto parser = miner::LineParser::create({});
  std::vector<miner::ScoredId> pairs;
  std::size_t lines = 0;
  for (const char* name : {"search-1.log", "search-2.log"}) {
    std::istringstream log(folder.read(name));
    for (std::string line; std::getline(log, line); ++lines) {
      ASSERT_FALSE(parser->parse(line, pairs).has_value()) << line;
      for (const miner::ScoredId& pair : pairs) ASSERT_TRUE(bank.contains(pair.id)) << line;
    }
  }
  EXPECT_EQ(lines, 5'000U);
}

TEST(Week, PlantedDuplicatesPassTheTest) {
  const TemporaryFolder folder;
  make_week(small_week(folder));
  const auto bank = read_bank(folder / "bank.jsonl");
  std::istringstream planted(folder.read("planted.tsv"));
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::size_t pairs = 0;
  for (; planted >> question >> keeper; ++pairs) {
    EXPECT_LT(keeper, question);
    const refine::Parts a = refine::parts_of(bank.at(question));
    const refine::Parts b = refine::parts_of(bank.at(keeper));
    EXPECT_TRUE(refine::compare(a, b, {}).duplicate) << bank.at(question) << "\n" << bank.at(keeper);
  }
  EXPECT_GT(pairs, 400U);
}

TEST(Week, PackedFilesHoldTheSame) {
  const TemporaryFolder plain;
  make_week(small_week(plain));
  for (const Packing packing : {Packing::gzip, Packing::zstd}) {
    const TemporaryFolder folder;
    WeekOptions options = small_week(folder);
    options.packing = packing;
    make_week(options);
    const std::string name = folder / ("bank.jsonl" + std::string(ending(packing)));
    EXPECT_EQ(read_bank(name), read_bank(plain / "bank.jsonl"));
  }
}

TEST(Week, EveryShapeCanBeMade) {
  for (const Shape shape :
       {Shape::one_question, Shape::same_signs, Shape::long_lists, Shape::one_character}) {
    const TemporaryFolder folder;
    WeekOptions options = small_week(folder);
    options.shape = shape;
    options.lines = 20;
    make_week(options);
    EXPECT_EQ(read_bank(folder / "bank.jsonl").size(), options.questions);
  }
}

}  // namespace
}  // namespace qdedup::bench
