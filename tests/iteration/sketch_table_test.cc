#include "iteration/sketch_table.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/fingerprints.h"
#include "db/sketches.h"
#include "refine/duplicate_test.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

using Texts = std::map<QuestionId, std::string>;

SketchTable table_of(db::Bank& bank, const std::vector<QuestionId>& ids, unsigned threads) {
  miner::IdNumbers numbers({.added = ids.size()});
  numbers.add(ids);
  numbers.number_ids();
  return must(SketchTable::read(bank, std::move(numbers), threads, no_progress));
}

void expect_sketches(db::Bank& bank, const std::vector<QuestionId>& ids, const Texts& texts,
                     unsigned threads) {
  const auto sketches = table_of(bank, ids, threads).of(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto text = texts.find(ids[i]);
    if (text == texts.end() || text->second.empty()) {
      EXPECT_EQ(sketches[i], std::nullopt) << ids[i];
    } else {
      EXPECT_EQ(sketches[i], refine::sketch_of(refine::parts_of(text->second))) << ids[i];
    }
  }
}

TEST(SketchTable, OfNothing) {
  SampleState state;
  EXPECT_TRUE(table_of(state.bank, {}, 2).of({}).empty());
}

// After imports, edits and removals at random, the newest text counts.
TEST(SketchTable, FollowsTheBank) {
  SampleState state;
  std::mt19937_64 random(4);
  Texts texts;
  for (int round = 0; round < 40; ++round) {
    Texts changes;
    for (int i = 0; i < 30; ++i) {
      const std::size_t kind = random() % 5;
      changes[static_cast<QuestionId>(1 + random() % 200)] =
          kind == 0 ? "" : std::to_string(random() % 9) + "只" + std::string(kind, 'x');
    }
    state.put(changes);
    for (const auto& [id, text] : changes) texts[id] = text;
    const auto gone = static_cast<QuestionId>(1 + random() % 200);
    if (texts.erase(gone) > 0) state.remove(gone);
    std::vector<QuestionId> ids;
    for (QuestionId id = 1; id < 220; id += static_cast<QuestionId>(1 + random() % 5)) ids.push_back(id);
    expect_sketches(state.bank, ids, texts, ids.size() % 2 == 0 ? 2 : 1);
  }
  EXPECT_GT(*db::Sketches(state.bank).entries(), texts.size());
  must(db::refresh_texts(state.bank, {}, "anew", [](std::uint64_t) {}));
  EXPECT_EQ(*db::Sketches(state.bank).entries(), texts.size());
  std::vector<QuestionId> all;
  for (QuestionId id = 1; id < 220; ++id) all.push_back(id);
  expect_sketches(state.bank, all, texts, 2);
}

// There are not that many readers, but all ids are read.
TEST(SketchTable, TakesAnyNumberOfThreads) {
  SampleState state;
  Texts texts;
  for (QuestionId id = 1; id <= 120; id += 3) {
    const Texts import = {{id, "甲"}, {id + 1, "乙" + std::to_string(id)}, {id + 2, ""}};
    state.put(import);
    texts.insert(import.begin(), import.end());
  }
  std::vector<QuestionId> ids;
  for (const auto& [id, text] : texts) ids.push_back(id);
  for (const unsigned threads : {1U, 15U, 16U, 17U, 1024U}) expect_sketches(state.bank, ids, texts, threads);
}

}  // namespace
}  // namespace qdedup::iteration
