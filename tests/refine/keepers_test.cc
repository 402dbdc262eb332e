#include "refine/keepers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/keeping.h"

namespace qdedup::refine {

std::ostream& operator<<(std::ostream& out, const Deletion& deletion) {
  return out << deletion.question << " for " << deletion.keeper;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Clusters = std::vector<std::vector<QuestionId>>;
using IdPair = std::pair<QuestionId, QuestionId>;

// Questions of which the test says how they relate.
struct ClusterBank {
  std::set<QuestionId> without_text{};
  std::set<IdPair> alike{};     // duplicates, smaller id first
  std::set<IdPair> rejected{};  // question, keeper

  [[nodiscard]] bool has(QuestionId id) const { return !without_text.contains(id); }
  [[nodiscard]] bool duplicates(QuestionId a, QuestionId b) const {
    return alike.contains(std::minmax(a, b));
  }

  [[nodiscard]] KeeperOracle oracle() const {
    return {
        .in_bank = [this](QuestionId id) { return has(id); },
        .duplicates = [this](QuestionId a, QuestionId b) { return duplicates(a, b); },
        .rejected =
            [this](QuestionId question, QuestionId keeper) {
              return rejected.contains({question, keeper});
            },
    };
  }

  [[nodiscard]] KeeperChoice choose(const Clusters& clusters, const std::vector<Deletion>& open = {}) const {
    return choose_keepers(clusters, open, oracle());
  }
};

// doc/rules.md, 4.

TEST(Keepers, TheSmallestIdOfDuplicatesIsKept) {
  const ClusterBank bank{.alike = {{1, 2}, {1, 3}, {2, 3}}};
  EXPECT_THAT(bank.choose({{3, 1, 2}}).deletions, ElementsAre(Deletion{2, 1}, Deletion{3, 1}));
}

TEST(Keepers, NothingIsDeletedWithoutADuplicate) {
  EXPECT_THAT(ClusterBank().choose({{1, 2, 3}}).deletions, IsEmpty());
}

TEST(Keepers, OnlyAKeptQuestionCanBeTheKeeper) {
  const ClusterBank bank{.alike = {{1, 2}, {2, 3}}};
  EXPECT_THAT(bank.choose({{1, 2, 3}}).deletions, ElementsAre(Deletion{2, 1}));
}

TEST(Keepers, TheSmallestOfSeveralKeptDuplicatesIsTheKeeper) {
  const ClusterBank bank{.alike = {{2, 4}, {3, 4}}};
  EXPECT_THAT(bank.choose({{1, 2, 3, 4}}).deletions, ElementsAre(Deletion{4, 2}));
}

TEST(Keepers, IdsWithoutTextTakeNoPartAndAreCountedOnce) {
  const ClusterBank bank{.without_text = {1, 9}, .alike = {{1, 2}, {1, 3}, {2, 3}}};
  const KeeperChoice choice = bank.choose({{1, 2, 3}, {1, 9}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{3, 2}));
  EXPECT_EQ(choice.missing, 2U);
}

TEST(Keepers, DuplicatesInDifferentClustersAreNotCompared) {
  const ClusterBank bank{.alike = {{1, 2}, {3, 4}}};
  EXPECT_THAT(bank.choose({{1, 3}, {2, 4}}).deletions, IsEmpty());
}

TEST(Keepers, ARepeatedIdCountsOnce) {
  const ClusterBank bank{.alike = {{1, 2}}};
  EXPECT_THAT(bank.choose({{2, 1, 2, 1}}).deletions, ElementsAre(Deletion{2, 1}));
}

TEST(Keepers, TheGreatestIdIsAnIdLikeOthers) {
  constexpr QuestionId greatest = std::numeric_limits<QuestionId>::max();
  const ClusterBank bank{.alike = {{1, greatest}}};
  EXPECT_THAT(bank.choose({{greatest, 1}}).deletions, ElementsAre(Deletion{greatest, 1}));
}

TEST(Keepers, NoClustersGiveNoDeletions) { EXPECT_THAT(ClusterBank().choose({}).deletions, IsEmpty()); }

// doc/rules.md, 5.

TEST(Keepers, AKeeperStandsInForAQuestionWithAnOpenDeletion) {
  const ClusterBank bank{.alike = {{1, 2}, {1, 3}, {2, 3}}};
  const KeeperChoice choice = bank.choose({{2, 3}}, {{2, 1}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{3, 1}));
  EXPECT_THAT(choice.repointed, IsEmpty());
}

TEST(Keepers, AQuestionWithAnOpenDeletionNeedsNoText) {
  const ClusterBank bank{.without_text = {2}, .alike = {{1, 3}}};
  const KeeperChoice choice = bank.choose({{2, 3}}, {{2, 1}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{3, 1}));
  EXPECT_EQ(choice.missing, 0U);
}

TEST(Keepers, AStandInWithoutTextIsMissing) {
  const ClusterBank bank{.without_text = {1}, .alike = {{1, 3}}};
  const KeeperChoice choice = bank.choose({{2, 3}}, {{2, 1}});
  EXPECT_THAT(choice.deletions, IsEmpty());
  EXPECT_EQ(choice.missing, 1U);
}

TEST(Keepers, AnOpenDeletionIsNotListedAgain) {
  const ClusterBank bank{.alike = {{1, 2}}};
  const KeeperChoice choice = bank.choose({{1, 2}}, {{2, 1}});
  EXPECT_THAT(choice.deletions, IsEmpty());
  EXPECT_THAT(choice.repointed, IsEmpty());
}

TEST(Keepers, DependantsMoveToTheNewKeeperOfTheirKeeper) {
  const ClusterBank bank{.alike = {{1, 5}, {1, 7}, {1, 8}}};
  const KeeperChoice choice = bank.choose({{1, 5}}, {{8, 5}, {7, 5}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{5, 1}));
  EXPECT_THAT(choice.repointed, ElementsAre(Deletion{7, 1}, Deletion{8, 1}));
  EXPECT_EQ(choice.held, 0U);
}

TEST(Keepers, AKeeperIsHeldWhereADependantFailsTheTest) {
  const ClusterBank bank{.alike = {{1, 5}, {1, 7}}};
  const KeeperChoice choice = bank.choose({{1, 5}}, {{7, 5}, {8, 5}});
  EXPECT_THAT(choice.deletions, IsEmpty());
  EXPECT_THAT(choice.repointed, IsEmpty());
  EXPECT_EQ(choice.held, 1U);
}

TEST(Keepers, AKeeperIsHeldWhereADependantWasRejectedWithTheNewKeeper) {
  const ClusterBank bank{.alike = {{1, 5}, {1, 7}}, .rejected = {{7, 1}}};
  const KeeperChoice choice = bank.choose({{1, 5}}, {{7, 5}});
  EXPECT_THAT(choice.deletions, IsEmpty());
  EXPECT_EQ(choice.held, 1U);
}

TEST(Keepers, AKeeperIsHeldWhereADependantHasNoText) {
  const ClusterBank bank{.without_text = {7}, .alike = {{1, 5}, {1, 7}}};
  EXPECT_EQ(bank.choose({{1, 5}}, {{7, 5}}).held, 1U);
}

TEST(Keepers, AHeldKeeperIsKept) {
  const ClusterBank bank{.alike = {{1, 5}, {5, 6}}};
  EXPECT_THAT(bank.choose({{1, 5, 6}}, {{7, 5}}).deletions, ElementsAre(Deletion{6, 5}));
}

TEST(Keepers, AHeldKeeperIsNotOfferedToTheNextKeptDuplicate) {
  const ClusterBank bank{.alike = {{1, 5}, {2, 5}, {2, 7}}};
  const KeeperChoice choice = bank.choose({{1, 2, 5}}, {{7, 5}});
  EXPECT_THAT(choice.deletions, IsEmpty());
  EXPECT_EQ(choice.held, 1U);
}

TEST(Keepers, AKeeperHeldInTwoClustersCountsOnce) {
  const ClusterBank bank{.alike = {{1, 5}, {2, 5}}};
  EXPECT_EQ(bank.choose({{1, 5}, {2, 7}}, {{7, 5}}).held, 1U);
}

TEST(Keepers, AKeeperHeldAtFirstAndDeletedLaterIsNotHeld) {
  const ClusterBank bank{.alike = {{1, 5}, {2, 5}, {2, 7}}};
  const KeeperChoice choice = bank.choose({{1, 5}, {2, 7}}, {{7, 5}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{5, 2}));
  EXPECT_THAT(choice.repointed, ElementsAre(Deletion{7, 2}));
  EXPECT_EQ(choice.held, 0U);
}

TEST(Keepers, ARejectedPairIsNotListedAgain) {
  const ClusterBank bank{.alike = {{1, 2}}, .rejected = {{2, 1}}};
  EXPECT_THAT(bank.choose({{1, 2}}).deletions, IsEmpty());
}

TEST(Keepers, AfterARejectionTheNextSmallestIsTried) {
  const ClusterBank bank{.alike = {{1, 4}, {3, 4}}, .rejected = {{4, 1}}};
  EXPECT_THAT(bank.choose({{1, 2, 3, 4}}).deletions, ElementsAre(Deletion{4, 3}));
}

TEST(Keepers, ADeletionMadeAndRepointedIsReportedOnce) {
  const ClusterBank bank{.alike = {{1, 3}, {1, 5}, {3, 5}}};
  const KeeperChoice choice = bank.choose({{3, 5}, {1, 5}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{3, 1}, Deletion{5, 1}));
  EXPECT_THAT(choice.repointed, IsEmpty());
}

TEST(Keepers, ADeletionOfThisCallHoldsItsKeeperToo) {
  const ClusterBank bank{.alike = {{1, 3}, {3, 5}}};
  const KeeperChoice choice = bank.choose({{3, 5}, {1, 5}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{5, 3}));
  EXPECT_EQ(choice.held, 1U);
}

// Further duplicates of what is listed.

TEST(Keepers, TellTheOtherKeptDuplicatesOfWhatIsListed) {
  const ClusterBank bank{.alike = {{1, 4}, {3, 4}, {2, 5}, {3, 5}, {4, 5}}};
  const KeeperChoice choice = bank.choose({{1, 2, 3, 4, 5}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{4, 1}, Deletion{5, 2}));
  EXPECT_THAT(choice.further, ElementsAre(Deletion{4, 3}, Deletion{5, 3}));
}

TEST(Keepers, ARejectedPairIsNoFurtherDuplicate) {
  const ClusterBank bank{.alike = {{1, 4}, {2, 4}, {3, 4}}, .rejected = {{4, 2}}};
  EXPECT_THAT(bank.choose({{1, 2, 3, 4}}).further, ElementsAre(Deletion{4, 3}));
}

TEST(Keepers, AFurtherDuplicateThatIsListedInALaterClusterIsNotTold) {
  const ClusterBank bank{.alike = {{1, 4}, {3, 4}, {2, 3}}};
  const KeeperChoice choice = bank.choose({{1, 3, 4}, {2, 3}});
  EXPECT_THAT(choice.deletions, ElementsAre(Deletion{3, 2}, Deletion{4, 1}));
  EXPECT_THAT(choice.further, IsEmpty());
}

// Random banks, clusters and states.

struct Case {
  ClusterBank bank;
  Clusters clusters;
  std::vector<Deletion> open;
};

bool one_in(std::mt19937_64& random, unsigned n) { return random() % n == 0; }

ClusterBank random_bank(std::mt19937_64& random, QuestionId size) {
  ClusterBank bank;
  const unsigned alike_one_in = 1 + static_cast<unsigned>(random() % 4);
  for (QuestionId a = 1; a <= size; ++a) {
    if (one_in(random, 10)) bank.without_text.insert(a);
    for (QuestionId b = a + 1; b <= size; ++b) {
      if (one_in(random, alike_one_in)) bank.alike.insert({a, b});
      if (one_in(random, 12)) bank.rejected.insert({b, a});
    }
  }
  return bank;
}

// Open deletions without chains: each keeper is kept, in the bank and a duplicate.
std::vector<Deletion> random_open(std::mt19937_64& random, const ClusterBank& bank, QuestionId size) {
  std::vector<Deletion> open;
  std::set<QuestionId> deleted;
  for (QuestionId question = 2; question <= size; ++question) {
    const auto keeper = static_cast<QuestionId>(1 + random() % static_cast<std::uint64_t>(question - 1));
    if (one_in(random, 2) || deleted.contains(keeper) || !bank.has(keeper)) continue;
    if (!bank.duplicates(question, keeper) || bank.rejected.contains({question, keeper})) continue;
    open.push_back({question, keeper});
    deleted.insert(question);
  }
  return open;
}

Case random_case(std::mt19937_64& random) {
  const auto size = static_cast<QuestionId>(2 + random() % 14);
  Case c{.bank = random_bank(random, size), .clusters = Clusters(1 + random() % 4), .open = {}};
  c.open = random_open(random, c.bank, size);
  for (QuestionId id = 1; id <= size; ++id) {
    if (!one_in(random, 6)) c.clusters[random() % c.clusters.size()].push_back(id);
  }
  for (std::vector<QuestionId>& cluster : c.clusters) std::ranges::shuffle(cluster, random);
  return c;
}

void expect_equal(const KeeperChoice& a, const KeeperChoice& b) {
  EXPECT_EQ(a.deletions, b.deletions);
  EXPECT_EQ(a.repointed, b.repointed);
  EXPECT_EQ(a.further, b.further);
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.held, b.held);
}

// The keeper of each question with an open deletion after the choice.
std::map<QuestionId, QuestionId> keepers_after(const Case& c, const KeeperChoice& choice) {
  std::map<QuestionId, QuestionId> keepers;
  for (const auto& [question, keeper] : c.open) keepers[question] = keeper;
  for (const auto& [question, keeper] : choice.repointed) keepers[question] = keeper;
  for (const auto& [question, keeper] : choice.deletions) keepers[question] = keeper;
  return keepers;
}

void expect_direct_witness(const Case& c, const KeeperChoice& choice) {
  const std::map<QuestionId, QuestionId> keepers = keepers_after(c, choice);
  for (const auto& [question, keeper] : keepers) {
    EXPECT_LT(keeper, question);
    EXPECT_FALSE(keepers.contains(keeper)) << keeper << " is deleted itself";
    EXPECT_TRUE(c.bank.has(keeper));
    EXPECT_TRUE(c.bank.duplicates(question, keeper));
    EXPECT_FALSE(c.bank.rejected.contains({question, keeper}));
  }
}

void expect_listed_once(const Case& c, const KeeperChoice& choice) {
  std::set<QuestionId> listed;
  for (const Deletion& deletion : c.open) listed.insert(deletion.question);
  for (const Deletion& deletion : choice.repointed) EXPECT_TRUE(listed.contains(deletion.question));
  for (const Deletion& deletion : choice.deletions) EXPECT_TRUE(listed.insert(deletion.question).second);
  EXPECT_TRUE(std::ranges::is_sorted(choice.deletions, {}, &Deletion::question));
  EXPECT_TRUE(std::ranges::is_sorted(choice.repointed, {}, &Deletion::question));
}

TEST(KeepersTwin, AgreesOnRandomStates) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const Case c = random_case(random);
    expect_equal(c.bank.choose(c.clusters, c.open),
                 reference::choose_keepers(c.clusters, c.open, c.bank.oracle()));
  }
}

TEST(KeepersProperties, HoldOnRandomStates) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const Case c = random_case(random);
    const KeeperChoice choice = c.bank.choose(c.clusters, c.open);
    expect_direct_witness(c, choice);
    expect_listed_once(c, choice);
  }
}

TEST(KeepersProperties, TheOrderOfOpenDeletionsAndInsideClustersDoesNotMatter) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000 && !testing::Test::HasFailure(); ++i) {
    Case c = random_case(random);
    const KeeperChoice choice = c.bank.choose(c.clusters, c.open);
    std::ranges::shuffle(c.open, random);
    for (std::vector<QuestionId>& cluster : c.clusters) std::ranges::shuffle(cluster, random);
    expect_equal(c.bank.choose(c.clusters, c.open), choice);
  }
}

TEST(KeepersProperties, ASecondCallFindsNothingNew) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 5000 && !testing::Test::HasFailure(); ++i) {
    const Case c = random_case(random);
    const Clusters one(1, c.clusters.front());
    std::vector<Deletion> open;
    for (const auto& [question, keeper] : keepers_after(c, c.bank.choose(one, c.open))) {
      open.push_back({question, keeper});
    }
    EXPECT_THAT(c.bank.choose(one, open).repointed, IsEmpty());
  }
}

TEST(KeepersProperties, APairIsComparedOnceInACluster) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const Case c = random_case(random);
    std::set<IdPair> asked;
    KeeperOracle oracle = c.bank.oracle();
    oracle.duplicates = [&](QuestionId a, QuestionId b) {
      EXPECT_TRUE(asked.insert(std::minmax(a, b)).second) << a << ' ' << b;
      EXPECT_TRUE(a != b && c.bank.has(a) && c.bank.has(b));
      return c.bank.duplicates(a, b);
    };
    choose_keepers(std::span(c.clusters).first(1), c.open, oracle);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace qdedup::refine
