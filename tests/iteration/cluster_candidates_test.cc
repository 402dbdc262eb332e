#include "iteration/cluster_candidates.h"

#include <random>

#include <gtest/gtest.h>

#include "refine/duplicate_test.h"

namespace qdedup::iteration {
namespace {

using Sketches = std::vector<std::optional<QuestionSketch>>;

constexpr QuestionSketch like_a{.once = 0b1111, .signs = 1, .han_length = 4};
constexpr QuestionSketch like_b{.once = 0b1111'0000, .signs = 1, .han_length = 4};
constexpr QuestionSketch other_signs{.once = 0b1111, .signs = 2, .han_length = 4};

using Groups = std::vector<std::uint32_t>;

Groups groups(const Sketches& sketches) { return candidate_groups(sketches, {}); }

TEST(Candidates, ComeInPairs) {
  EXPECT_EQ(groups({}), Groups());
  EXPECT_EQ(groups({like_a}), Groups({0}));
  EXPECT_EQ(groups({like_a, like_b, like_a}), Groups({1, 0, 1}));
  EXPECT_EQ(groups({like_b, like_a, other_signs}), Groups({0, 0, 0}));
}

TEST(Candidates, WithOtherSignsAreOthers) {
  EXPECT_EQ(groups({other_signs, like_a, other_signs, like_a, like_b}), Groups({2, 1, 2, 1, 0}));
}

// Some that are alike, some that are not, of a few signs.
Sketches random_sketches(std::mt19937_64& random) {
  Sketches sketches(random() % 60);
  for (std::optional<QuestionSketch>& sketch : sketches) {
    if (random() % 10 == 0) continue;
    const std::uint64_t characters = std::uint64_t{0xFF} << (random() % 12 * 5);
    sketch = {.once = characters, .signs = static_cast<std::uint32_t>(random() % 4), .han_length = 8};
  }
  return sketches;
}

TEST(Candidates, AreAllThatMayBeDuplicates) {
  std::mt19937_64 random(20261120);
  for (int round = 0; round < 2000; ++round) {
    const Sketches sketches = random_sketches(random);
    const Groups exact = groups(sketches);
    const Groups few_looks = candidate_groups(sketches, {}, 1 + random() % 4);
    for (std::size_t i = 0; i < sketches.size(); ++i) {
      bool may_be = false;
      for (std::size_t other = 0; other < sketches.size() && sketches[i]; ++other) {
        const bool is_pair =
            other != i && sketches[other] && refine::may_be_duplicates(*sketches[i], *sketches[other], {});
        may_be = may_be || is_pair;
        if (is_pair) {
          ASSERT_EQ(exact[i], exact[other]);
          ASSERT_EQ(few_looks[i], few_looks[other]);
        }
      }
      ASSERT_EQ(exact[i] != 0, may_be) << round;
      ASSERT_TRUE(few_looks[i] != 0 || !may_be) << round;
      ASSERT_TRUE(few_looks[i] == 0 || sketches[i]) << round;
    }
  }
}

TEST(Candidates, HaveText) { EXPECT_EQ(groups({std::nullopt, like_a, std::nullopt}), Groups({0, 0, 0})); }

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

// The slow twin: all pairs.
template <class ArePartners>
std::vector<bool> with_partner(std::size_t count, const ArePartners& partners) {
  std::vector<bool> has_one(count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      if (!partners(a, b)) continue;
      has_one[a] = true;
      has_one[b] = true;
    }
  }
  return has_one;
}

// Some pairs of things, and how often each was looked at.
struct RandomPairs {
  RandomPairs(std::size_t things, double share, std::mt19937_64& random)
      : count(things), are(things * things), looked(things * things) {
    std::bernoulli_distribution together(share);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < a; ++b) are[a * count + b] = are[b * count + a] = together(random) ? 1 : 0;
    }
  }

  bool look(std::size_t a, std::size_t b) {
    ++looks;
    EXPECT_NE(a, b);
    EXPECT_EQ(++looked[std::min(a, b) * count + std::max(a, b)], 1);
    return are[a * count + b] != 0;
  }

  std::size_t count;
  std::vector<char> are;
  std::vector<int> looked;
  std::uint64_t looks = 0;
};

TEST(Partners, AreThoseOfAllPairs) {
  std::mt19937_64 random(20261120);
  Partners partners;
  for (int round = 0; round < 3000; ++round) {
    RandomPairs pairs(random() % 40, static_cast<double>(random() % 100) / (round % 2 == 0 ? 100 : 2000),
                      random);
    const auto look = [&](std::size_t a, std::size_t b) { return pairs.look(a, b); };
    const std::vector<bool>& found = partners.find(pairs.count, no_limit, look);
    const auto are = [&](std::size_t a, std::size_t b) { return pairs.are[a * pairs.count + b] != 0; };
    ASSERT_EQ(found, with_partner(pairs.count, are)) << round;
  }
}

TEST(Partners, AreNeverMissedWhereLooksAreFew) {
  std::mt19937_64 random(2211);
  Partners partners;
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t most = random() % 200;
    RandomPairs pairs(random() % 40, static_cast<double>(random() % 100) / 1000, random);
    const auto look = [&](std::size_t a, std::size_t b) { return pairs.look(a, b); };
    const std::vector<bool> found = partners.find(pairs.count, most, look);
    ASSERT_LE(pairs.looks, most + 2 * pairs.count);
    const auto are = [&](std::size_t a, std::size_t b) { return pairs.are[a * pairs.count + b] != 0; };
    const std::vector<bool> expected = with_partner(pairs.count, are);
    for (std::size_t thing = 0; thing < pairs.count; ++thing)
      ASSERT_TRUE(found[thing] || !expected[thing]) << round;
  }
}

TEST(Partners, OfOneKindAreLookedAtOnce) {
  constexpr std::size_t count = 100'000;
  std::uint64_t looks = 0;
  Partners partners;
  const std::vector<bool>& found = partners.find(count, no_limit, [&](std::size_t, std::size_t) {
    ++looks;
    return true;
  });
  EXPECT_EQ(std::ranges::count(found, true), static_cast<std::ptrdiff_t>(count));
  EXPECT_EQ(looks, count - 1);
}

TEST(Partners, OfNoneAreNotLookedForBeyondTheLimit) {
  constexpr std::size_t count = 20'000;
  std::uint64_t looks = 0;
  Partners partners;
  const std::vector<bool>& found = partners.find(count, 10 * count, [&](std::size_t, std::size_t) {
    ++looks;
    return false;
  });
  EXPECT_LE(looks, 12 * count);
  EXPECT_FALSE(found[0]);
  EXPECT_TRUE(found[count - 1]);
}

}  // namespace
}  // namespace qdedup::iteration
