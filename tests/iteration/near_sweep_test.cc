#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "db/decisions.h"
#include "finder/minhash_finder.h"
#include "finder/simhash_finder.h"
#include "finder/substring_finder.h"
#include "iteration/near_groups.h"
#include "iteration/sweep.h"
#include "refine/parts.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

using Questions = std::map<QuestionId, std::string>;
using Pairs = std::vector<std::pair<QuestionId, QuestionId>>;
using MakeFinder = std::function<std::unique_ptr<finder::NearFinder>()>;

Pairs pending_pairs(SampleState& sample) {
  Pairs pairs;
  for (const db::DeletionRow& row : sample.deletions({.statuses = {db::DeletionStatus::pending}}))
    pairs.emplace_back(row.question, row.keeper);
  return pairs;
}

// Whatever a finder comes across is held to the rules; what it finds here are the same questions.
TEST(NearSweep, HoldsWhatItFindsToTheRules) {
  const Questions questions = {{1, "一二三四五六七八九十"}, {2, "一二三四五六七八九十"},
                               {3, "一二三四五六七八九10"}, {4, "子丑寅卯辰巳午未申酉"},
                               {5, "子丑寅卯辰巳午未申甲"}, {6, ""},
                               {7, "一二三四五六七八九十"}};
  SampleState simhash;
  simhash.put(questions);
  const auto iteration =
      simhash.near_sweep(std::make_unique<finder::SimhashFinder>(finder::SimhashSettings()));
  ASSERT_TRUE(iteration);
  EXPECT_EQ(iteration->kind, "sweep");
  EXPECT_NE(iteration->settings.find("simhash"), std::string::npos);
  EXPECT_EQ(pending_pairs(simhash), (Pairs{{2, 1}, {7, 1}}));
  EXPECT_FALSE(simhash.near_sweep(std::make_unique<finder::SimhashFinder>(finder::SimhashSettings())));
  SampleState substring;
  substring.put(questions);
  substring.near_sweep(std::make_unique<finder::SubstringFinder>(finder::SubstringSettings()));
  EXPECT_EQ(pending_pairs(substring), (Pairs{{2, 1}, {5, 4}, {7, 1}}));
}

// 2 and 3 are duplicates, but share one of nine stretches of four characters. All of both are in a third.
TEST(NearSweep, ComparesWhatIsNearTheSameQuestion) {
  const std::string one = "甲乙丙丁戊己庚辛壬癸子丑";
  const std::string other = "甲乙丙寅戊己庚卯壬癸子丑";
  const auto near_finder = [] {
    return std::make_unique<finder::SubstringFinder>(finder::SubstringSettings{.shared = 0.6});
  };
  for (const QuestionId third : {1, 9}) {
    SampleState sample;
    sample.put({{2, one}, {3, other}});
    EXPECT_FALSE(sample.near_sweep(near_finder()));
    sample.put({{third, one + other}});
    EXPECT_TRUE(sample.near_sweep(near_finder()));
    EXPECT_EQ(pending_pairs(sample), (Pairs{{3, 2}}));
  }
}

// The first of what was to be decided together has left.
TEST(NearSweep, DecidesTogetherWhatIsStillThere) {
  SampleState sample;
  sample.put(
      {{2, "一二三四五六七八九十"}, {3, ""}, {5, "甲乙丙丁戊己庚辛壬癸"}, {7, "子丑寅卯辰巳午未申酉"}});
  engine::Past past;
  past.reopened = {{1, 2, 3, 4, 5}};
  const NearGroups near =
      must(near_groups(sample.bank, std::make_unique<finder::SubstringFinder>(finder::SubstringSettings()),
                       past, sample.settings.refine, 1, 256, no_progress));
  ASSERT_EQ(near.fingerprints.size(), 3U);
  EXPECT_EQ(near.fingerprints[0], near.fingerprints[1]);
  EXPECT_NE(near.fingerprints[0], near.fingerprints[2]);
}

// Questions of two sign groups, many of them like others.
Questions some_questions(unsigned seed) {
  std::mt19937_64 random(seed);
  static const std::vector<std::string> characters = {"甲", "乙", "丙", "丁", "子", "丑"};
  Questions questions;
  std::vector<std::vector<std::string>> texts;
  for (QuestionId id = 1; id <= 90; ++id) {
    std::vector<std::string> text(4 + random() % 8);
    for (std::string& c : text) c = characters[random() % characters.size()];
    if (!texts.empty() && random() % 3 != 0) {
      text = texts[random() % texts.size()];
      text[random() % text.size()] = characters[random() % characters.size()];
    }
    texts.push_back(text);
    const std::string joined = std::accumulate(text.begin(), text.end(), std::string());
    questions[id] = random() % 20 == 0 ? "" : joined + (random() % 4 == 0 ? "1" : "");
  }
  return questions;
}

// Each thread looks up slices in several batches.
TEST(NearSweep, DoesNotDependOnThreadsOrSlices) {
  Questions questions;
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    for (const auto& [id, text] : some_questions(seed)) questions[1000 * seed + id] = text;
  }
  const auto near_finder = [] {
    return std::make_unique<finder::SubstringFinder>(finder::SubstringSettings());
  };
  SampleState one;
  one.put(questions);
  one.near_sweep(near_finder());
  EXPECT_GT(pending_pairs(one).size(), 20U);
  for (const std::size_t slice : {1U, 2U, 7U}) {
    SampleState sample;
    sample.settings.resources.threads = 3;
    sample.put(questions);
    sample.near_sweep(near_finder(), {.near_slice = slice});
    EXPECT_EQ(pending_pairs(sample), pending_pairs(one));
  }
}

// The sets of questions of which each hangs together by the finder's measure.
std::vector<Questions> groups_of(const Questions& questions, finder::NearFinder& near_finder) {
  std::vector<std::pair<QuestionId, finder::Signature>> signatures;
  const auto han = [](const std::string& text) { return refine::parts_of(text).han; };
  for (const auto& [id, text] : questions) {
    if (!text.empty()) near_finder.learn(han(text));
  }
  std::map<QuestionId, QuestionId> group;
  for (const auto& [id, text] : questions) {
    if (text.empty()) continue;
    const finder::Signature signature = near_finder.signature(han(text));
    group[id] = id;
    for (const auto& [other, of_other] : signatures) {
      if (!near_finder.near(signature, of_other) || group[other] == group[id]) continue;
      const QuestionId joined = group[id];
      for (auto& [member, of_member] : group) {
        if (of_member == joined) of_member = group[other];
      }
    }
    signatures.emplace_back(id, signature);
  }
  std::map<QuestionId, Questions> groups;
  for (const auto& [id, of_id] : group) groups[of_id][id] = questions.at(id);
  std::vector<Questions> all;
  for (auto& [of_id, members] : groups) all.push_back(std::move(members));
  return all;
}

struct Case {
  std::string name;
  MakeFinder make;
};

class NearSweeps : public testing::TestWithParam<Case> {};

// As if each set were a bank of its own, swept exactly.
TEST_P(NearSweeps, AreExactAmongWhatHangsTogether) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const Questions questions = some_questions(seed);
    Pairs expected;
    const auto near_finder = GetParam().make();
    for (const Questions& group : groups_of(questions, *near_finder)) {
      if (group.size() < 2) continue;
      SampleState alone;
      alone.put(group);
      alone.sweep();
      const Pairs pairs = pending_pairs(alone);
      expected.insert(expected.end(), pairs.begin(), pairs.end());
    }
    std::ranges::sort(expected);
    SampleState sample;
    sample.settings.resources.threads = seed % 3 + 1;
    sample.put(questions);
    sample.near_sweep(GetParam().make(),
                      {.questions_per_pass = seed % 2 == 0 ? 10U : 1000U, .near_slice = seed + 1});
    EXPECT_EQ(pending_pairs(sample), expected);
    EXPECT_FALSE(sample.near_sweep(GetParam().make()));
  }
}

template <class Finder, class Settings>
Case finder_case(std::string name, Settings settings) {
  return {std::move(name), [settings] { return std::make_unique<Finder>(settings); }};
}

INSTANTIATE_TEST_SUITE_P(
    Finders, NearSweeps,
    testing::Values(
        finder_case<finder::SimhashFinder>("Simhash",
                                           finder::SimhashSettings{.distance = 6, .features = {.gram = 1}}),
        finder_case<finder::SimhashFinder>("SimhashFar",
                                           finder::SimhashSettings{.distance = 9, .features = {.gram = 1}}),
        finder_case<finder::MinhashFinder>(
            "Minhash", finder::MinhashSettings{.gram = 1, .bands = 20, .rows = 1, .similarity = 0.4}),
        finder_case<finder::SubstringFinder>("Substring", finder::SubstringSettings{.shared = 0.5})),
    [](const auto& tested) { return tested.param.name; });

// The question's text changes to what is near nothing, and its keeper's open deletions stay with it.
TEST(NearSweep, DecidesAnewWhatChanged) {
  SampleState sample;
  const auto near_finder = [] { return std::make_unique<finder::SimhashFinder>(finder::SimhashSettings()); };
  sample.put({{5, "一二三四五六七八九十"}, {7, "一二三四五六七八九十"}, {9, "一二三四五六七八九十"}});
  ASSERT_TRUE(sample.near_sweep(near_finder()));
  EXPECT_EQ(pending_pairs(sample), (Pairs{{7, 5}, {9, 5}}));
  sample.put({{9, "子丑寅卯辰巳午未申酉"}, {3, "一二三四五六七八九十"}});
  const auto second = sample.near_sweep(near_finder());
  ASSERT_TRUE(second);
  EXPECT_EQ(second->counts.withdrawn, 1U);
  EXPECT_EQ(pending_pairs(sample), (Pairs{{5, 3}, {7, 3}}));
}

}  // namespace
}  // namespace qdedup::iteration
