#include "engine/in_memory.h"

#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "tests/reference/duplicates.h"
#include "tests/reference/keeping.h"
#include "tests/support/rules.h"
#include "tests/support/sampled.h"

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
Clusters clusters_by_twin(const std::vector<CandidateEdge>& edges) {
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
      past.rejected.push_back({.question = row.question,
                               .keeper = row.keeper,
                               .compared = {row.question_hash, row.keep_hash + random() % 2}});
  }
  past.open = DeletionIndex(std::move(open));
  for (std::size_t reopened = random() % 3; reopened > 0; --reopened) {
    std::set<QuestionId> ids;
    for (int i = 0; i < 3; ++i) ids.insert(static_cast<QuestionId>(1 + random() % largest_id));
    past.reopened.emplace_back(ids.begin(), ids.end());
  }
  return past;
}

using Seen = std::map<QuestionId, reference::SeenText>;

Seen seen_in(const Bank& bank) {
  Seen seen;
  for (const auto& [id, text] : bank) seen[id] = reference::see(text);
  return seen;
}

Clusters all_of(const Bank& bank) {
  Clusters clusters(1);
  for (const auto& [id, text] : bank) clusters[0].push_back(id);
  return clusters;
}

refine::KeeperChoice expected(const Bank& bank, const Seen& seen, Clusters clusters, const Past& past,
                              const refine::DuplicateSettings& rule = {}) {
  clusters.insert(clusters.end(), past.reopened.begin(), past.reopened.end());
  const auto rejected = [&](QuestionId question, QuestionId keeper) {
    const refine::PairHashes now{refine::text_hash(bank.at(question)), refine::text_hash(bank.at(keeper))};
    return std::ranges::any_of(past.rejected, [&](const ListedPair& pair) {
      return std::tuple(pair.question, pair.keeper, pair.compared) == std::tuple(question, keeper, now);
    });
  };
  return reference::choose_keepers(
      clusters, past.open.all(),
      {[&](QuestionId id) { return bank.contains(id); },
       [&](QuestionId a, QuestionId b) { return reference::are_duplicates(seen.at(a), seen.at(b), rule); },
       rejected});
}

std::vector<IdentifiedText> texts_of(const Bank& bank) {
  std::vector<IdentifiedText> texts;
  for (const auto& [id, text] : bank) texts.push_back({id, {text}});
  return texts;
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
  for (int round = 0; round < sampled(1000) && !testing::Test::HasFailure(); ++round) {
    const Bank bank = random_bank(random);
    const std::vector<IdentifiedText> texts = texts_of(bank);
    refine::AnnotatedOutcome outcome;
    for (int iteration = 0; iteration < 3; ++iteration) {
      const std::vector<CandidateEdge> edges = random_edges(random);
      const Past past = random_past(random, outcome);
      outcome = decide(texts, clusters_of(edges), past, {{}, characters});
      const refine::KeeperChoice twin = expected(bank, seen_in(bank), clusters_by_twin(edges), past);
      EXPECT_EQ(ids_of(outcome.deletions), twin.deletions);
      EXPECT_EQ(ids_of(outcome.repointed), twin.repointed);
      EXPECT_EQ(ids_of(outcome.further), twin.further);
      EXPECT_EQ(outcome.missing, twin.missing);
      EXPECT_EQ(outcome.held, twin.held);
      deletions += outcome.deletions.size();
      repointed += outcome.repointed.size();
    }
  }
  EXPECT_GT(deletions, sampled(500U));
  EXPECT_GT(repointed, sampled(100U));
}

// What a sweep lists is what one cluster of the whole bank gives.
TEST(Sweep, AgreesWithItsTwin) {
  std::mt19937_64 random(16);
  const refine::CharacterCounts characters;
  std::size_t deletions = 0;
  for (int round = 0; round < sampled(500) && !testing::Test::HasFailure(); ++round) {
    const Bank bank = random_bank(random);
    const std::vector<IdentifiedText> texts = texts_of(bank);
    refine::AnnotatedOutcome outcome;
    for (int iteration = 0; iteration < 3; ++iteration) {
      Past past = random_past(random, outcome);
      past.reopened.clear();  // a sweep compares all anyway
      outcome = sweep(texts, past, {{}, characters}, {.indexed_at_once = 1 + random() % 30, .block = 4});
      const refine::KeeperChoice twin = expected(bank, seen_in(bank), all_of(bank), past);
      EXPECT_EQ(ids_of(outcome.deletions), twin.deletions);
      EXPECT_EQ(ids_of(outcome.repointed), twin.repointed);
      deletions += outcome.deletions.size();
    }
  }
  EXPECT_GT(deletions, sampled(500U));
}

// Texts of these lengths, and copies with about as many errors as 80 percent allow.
Bank bank_around(std::mt19937_64& random, std::size_t length) {
  static const std::vector<std::string> characters = {"甲", "乙", "丙", "丁", "天",
                                                      "空", "3",  "x",  " ",  "，"};
  const auto character = [&] { return characters[random() % characters.size()]; };
  Bank bank;
  std::vector<std::string> base(length);
  for (QuestionId id = 1; id <= largest_id; ++id) {
    if (id % 6 == 1) std::ranges::generate(base, character);
    std::vector<std::string> text = base;
    for (std::size_t edits = random() % (length / 4 + 2); edits > 0 && !text.empty(); --edits)
      text[random() % length] = random() % 3 == 0 ? "" : character();
    for (const std::string& each : text) bank[id] += each;
    if (bank[id].empty()) bank.erase(id);
  }
  return bank;
}

class EveryRule : public testing::TestWithParam<int> {};

TEST_P(EveryRule, DecidesClustersAndSweepsAsItsTwin) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const refine::CharacterCounts characters;
  std::map<std::string, std::size_t> deletions;  // by rule
  for (const std::size_t length : {1U, 6U, 63U, 64U, 65U, 128U}) {
    const Bank bank = bank_around(random, length);
    const Seen seen = seen_in(bank);
    const std::vector<IdentifiedText> texts = texts_of(bank);
    for (const refine::DuplicateSettings& rule : all_rules(GetParam())) {
      SCOPED_TRACE(rule_text(rule));
      const refine::KeeperChoice twin = expected(bank, seen, all_of(bank), {}, rule);
      const Measure measure{{rule, {}}, characters};
      for (const auto& outcome : {decide(texts, all_of(bank), {}, measure),
                                  sweep(texts, {}, measure, {.indexed_at_once = 5, .block = 4})}) {
        EXPECT_EQ(ids_of(outcome.deletions), twin.deletions);
        EXPECT_EQ(ids_of(outcome.further), twin.further);
        for (const refine::AnnotatedDeletion& row : outcome.deletions) {
          EXPECT_EQ(row.by_sets, refine::set_measure(rule.similarity).has_value());
          const bool same_signs = seen.at(row.question).signs == seen.at(row.keeper).signs;
          EXPECT_TRUE(same_signs || row.confidence == refine::Confidence::doubtful);
        }
      }
      deletions[rule_text(rule)] += twin.deletions.size();
    }
  }
  for (const auto& [rule, count] : deletions) EXPECT_GT(count, 3U) << rule;
}

INSTANTIATE_TEST_SUITE_P(Percent, EveryRule, testing::Values(79, 80, 81));

TEST(InMemory, WhatIsTooLongHasNoText) {
  const refine::CharacterCounts characters;
  const std::string text(refine::max_compared_bytes, '1');
  for (const std::string more : {"", "1"}) {
    const std::string both = text + more;
    const std::vector<IdentifiedText> texts = {{1, {both}}, {2, {both}}};
    const std::size_t deletions = more.empty() ? 1 : 0;
    EXPECT_EQ(decide(texts, Clusters{{1, 2}}, {}, {{}, characters}).deletions.size(), deletions);
    EXPECT_EQ(sweep(texts, {}, {{}, characters}).deletions.size(), deletions);
  }
}

}  // namespace
}  // namespace qdedup::engine
