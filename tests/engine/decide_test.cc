#include "engine/decide.h"

#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "refine/parts.h"
#include "tests/reference/iterating.h"
#include "tests/reference/keeping.h"

namespace qdedup::engine {
namespace {

using Bank = std::map<QuestionId, std::string>;
using Clusters = std::vector<std::vector<QuestionId>>;

constexpr QuestionId largest_id = 24;

Bank random_bank(std::mt19937_64& random) {
  static const std::vector<std::string> characters = {"甲", "乙", "丙"};
  Bank bank;
  for (QuestionId id = 1; id <= largest_id; ++id) {
    if (random() % 8 == 0) continue;
    for (int i = 0; i < 6; ++i) bank[id] += characters[random() % (i < 4 ? 1 : 3)];
    if (random() % 4 == 0) bank[id] += "1";
  }
  return bank;
}

std::vector<CandidateEdge> random_edges(std::mt19937_64& random) {
  std::vector<CandidateEdge> edges(random() % 30);
  for (auto& [a, b] : edges) {
    a = static_cast<QuestionId>(1 + random() % largest_id);
    b = static_cast<QuestionId>(1 + random() % largest_id);
  }
  return edges;
}

// What hangs together, by its smallest id.
Clusters clusters_of(const std::vector<CandidateEdge>& edges) {
  std::map<QuestionId, QuestionId> smallest;
  for (const auto& [a, b] : edges) smallest[a] = a, smallest[b] = b;
  for (std::size_t round = 0; round < edges.size(); ++round) {
    for (const auto& [a, b] : edges) smallest[a] = smallest[b] = std::min(smallest[a], smallest[b]);
  }
  std::map<QuestionId, std::vector<QuestionId>> by_smallest;
  for (const auto& [id, of_id] : smallest) by_smallest[of_id].push_back(id);
  Clusters clusters;
  for (auto& [id, cluster] : by_smallest) clusters.push_back(std::move(cluster));
  return clusters;
}

Past random_past(std::mt19937_64& random, const refine::AnnotatedOutcome& before) {
  Past past;
  std::vector<refine::Deletion> open;
  for (const refine::AnnotatedDeletion& row : before.deletions) {
    if (random() % 4 > 0)
      open.push_back({row.question, row.keeper});
    else
      past.rejected.push_back({row.question, row.keeper, row.question_hash, row.keep_hash + random() % 2});
  }
  past.open = DeletionIndex(std::move(open));
  for (std::size_t reopened = random() % 3; reopened > 0; --reopened) {
    std::set<QuestionId> ids;
    for (int i = 0; i < 3; ++i) ids.insert(static_cast<QuestionId>(1 + random() % largest_id));
    past.reopened.emplace_back(ids.begin(), ids.end());
  }
  return past;
}

refine::KeeperChoice expected(const Bank& bank, const std::vector<CandidateEdge>& edges, const Past& past) {
  Clusters clusters = clusters_of(edges);
  clusters.insert(clusters.end(), past.reopened.begin(), past.reopened.end());
  const auto rejected = [&](QuestionId question, QuestionId keeper) {
    return std::ranges::any_of(past.rejected, [&](const RejectedPair& pair) {
      return std::tuple(pair.question, pair.keeper, pair.question_hash, pair.keep_hash) ==
             std::tuple(question, keeper, refine::text_hash(bank.at(question)),
                        refine::text_hash(bank.at(keeper)));
    });
  };
  return reference::choose_keepers(
      clusters, past.open.all(),
      {[&](QuestionId id) { return bank.contains(id); },
       [&](QuestionId a, QuestionId b) { return reference::are_duplicates(bank.at(a), bank.at(b), 80); },
       rejected});
}

std::vector<refine::Deletion> ids_of(const std::vector<refine::AnnotatedDeletion>& rows) {
  std::vector<refine::Deletion> ids;
  for (const refine::AnnotatedDeletion& row : rows) ids.push_back({row.question, row.keeper});
  return ids;
}

// First without a past, then with what came of that.
TEST(Decide, AgreesWithItsTwin) {
  std::mt19937_64 random(15);
  const refine::CharacterCounts characters;
  std::size_t deletions = 0;
  std::size_t repointed = 0;
  for (int round = 0; round < 1000 && !testing::Test::HasFailure(); ++round) {
    const Bank bank = random_bank(random);
    std::vector<IdentifiedText> texts;
    for (const auto& [id, text] : bank) texts.push_back({id, {text}});
    refine::AnnotatedOutcome outcome;
    for (int iteration = 0; iteration < 3; ++iteration) {
      const std::vector<CandidateEdge> edges = random_edges(random);
      const Past past = random_past(random, outcome);
      outcome = decide(texts, edges, past, {{}, characters});
      const refine::KeeperChoice twin = expected(bank, edges, past);
      EXPECT_EQ(ids_of(outcome.deletions), twin.deletions);
      EXPECT_EQ(ids_of(outcome.repointed), twin.repointed);
      EXPECT_EQ(ids_of(outcome.further), twin.further);
      EXPECT_EQ(outcome.missing, twin.missing);
      EXPECT_EQ(outcome.held, twin.held);
      deletions += outcome.deletions.size();
      repointed += outcome.repointed.size();
    }
  }
  EXPECT_GT(deletions, 500U);
  EXPECT_GT(repointed, 100U);
}

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
  const ComparedQuestion question(9, {"小明买了3本新书"});
  const auto row = annotate(question, ComparedQuestion(2, {"小明买了3本书"}), {{}, characters});
  ASSERT_TRUE(row);
  EXPECT_EQ(row->question, 9);
  EXPECT_EQ(row->keeper, 2);
  EXPECT_EQ(row->distance, 1U);
  EXPECT_EQ(row->question_hash, refine::text_hash("小明买了3本新书"));
  EXPECT_FALSE(annotate(question, ComparedQuestion(2, {"小明买了4本书"}), {{}, characters}));
}

}  // namespace
}  // namespace qdedup::engine
