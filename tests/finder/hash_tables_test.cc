#include "finder/hash_tables.h"

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/near_hashes.h"

namespace qdedup::finder {
namespace {

// Distance and levels.
class HashTablesTest : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {
 protected:
  [[nodiscard]] static HashTablesSettings settings() {
    return {.distance = std::get<0>(GetParam()), .levels = std::get<1>(GetParam())};
  }

  // Half of them differ from one before in some bits: around the distance, anywhere or in one block.
  std::uint64_t next_hash() {
    if (hashes_.empty() || random_() % 2 == 0) {
      hashes_.push_back(random_());
      return hashes_.back();
    }
    std::uint64_t hash = hashes_[random_() % hashes_.size()];
    const auto changes = random_() % (settings().distance + 3);
    const std::uint64_t width = random_() % 2 == 0 ? 64 : 12;
    const auto begin = random_() % 64;
    for (std::size_t i = 0; i < changes; ++i) hash ^= std::uint64_t{1} << ((begin + random_() % width) % 64);
    hashes_.push_back(hash);
    return hash;
  }

  std::mt19937_64 random_{7};
  std::vector<std::uint64_t> hashes_;
};

TEST_P(HashTablesTest, FindWhatTheTwinFinds) {
  std::vector<HashRecord> records;
  reference::NearHashes twin(settings().distance);
  for (QuestionId id = 1; id <= 3000; ++id) {
    const std::uint64_t hash = next_hash();
    records.emplace_back(hash, id, std::uint16_t{1});
    twin.add(hash, id, 1);
  }
  HashTables tables(settings(), records);
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t hash = next_hash();
    ASSERT_EQ(tables.query(hash), twin.query(hash));
  }
}

TEST_P(HashTablesTest, GrowAndShrinkAsTheTwinDoes) {
  HashTables tables(settings());
  reference::NearHashes twin(settings().distance);
  std::vector<std::pair<std::uint64_t, QuestionId>> known = {{1, 1}};
  for (QuestionId id = 1; id <= 9000; ++id) {
    const std::uint64_t hash = next_hash();
    const auto now = static_cast<std::uint16_t>(id / 10);
    tables.add({hash, id, now});
    twin.add(hash, id, now);
    known.emplace_back(hash, id);
    const auto [other, of_id] = known[random_() % known.size()];
    const auto before = static_cast<std::uint16_t>(id % 2500 == 2 ? now / 2 : 0);
    ASSERT_EQ(tables.expire(before), twin.expire(before));
    if (id % 16 == 0) {
      ASSERT_EQ(tables.remove(other, of_id), twin.remove(other, of_id));
    } else if (id % 16 == 1) {
      ASSERT_EQ(tables.arrived(other, of_id, now), twin.arrived(other, of_id, now));
    } else if (id % 16 == 2) {
      ASSERT_EQ(tables.query(other), twin.query(other));
    }
    ASSERT_EQ(tables.size(), twin.size());
  }
}

std::string saved(HashTables& tables) {
  std::string bytes;
  tables.save([&](std::string_view piece) { bytes += piece; });
  return bytes;
}

TEST_P(HashTablesTest, GoOnWhereTheyWereSaved) {
  HashTables tables(settings());
  for (QuestionId id = 1; id <= 5000; ++id) tables.add({next_hash(), id, static_cast<std::uint16_t>(id % 9)});
  tables.remove(hashes_[4], 5);
  const std::string bytes = saved(tables);
  Result<HashTables> loaded = HashTables::load(bytes, settings());
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(saved(*loaded), bytes);
  EXPECT_EQ(loaded->expire(4), tables.expire(4));
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t hash = next_hash();
    ASSERT_EQ(loaded->query(hash), tables.query(hash));
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, HashTablesTest,
                         testing::Combine(testing::Values(0U, 1U, 3U, 4U, 6U, 15U), testing::Values(1U, 2U)),
                         [](const auto& tested) {
                           return "Distance" + std::to_string(std::get<0>(tested.param)) + "Levels" +
                                  std::to_string(std::get<1>(tested.param));
                         });

TEST(HashTables, MayBeEmpty) {
  HashTables tables({.distance = 3, .levels = 3});
  EXPECT_TRUE(tables.query(0).empty());
  EXPECT_FALSE(tables.remove(0, 0));
  EXPECT_EQ(tables.expire(9), 0U);
  EXPECT_TRUE(HashTables::load(saved(tables), {.distance = 3, .levels = 3}).ok());
}

TEST(HashTables, HoldTheSameHashManyTimes) {
  std::vector<HashRecord> records;
  for (QuestionId id = 10; id < 5010; ++id) records.emplace_back(9, id, std::uint16_t{1});
  HashTables tables({}, records);
  tables.add({8, 5, 1});
  EXPECT_EQ(tables.query(9).size(), 5001U);
  EXPECT_TRUE(tables.remove(8, 5));
  EXPECT_FALSE(tables.remove(8, 5));
  EXPECT_EQ(tables.query(9).size(), 5000U);
}

TEST(HashTables, RefuseWhatTheyDidNotSave) {
  HashTables tables({});
  tables.add({~std::uint64_t{0}, 1, 1});
  tables.add({0, 2, 1});
  const std::string bytes = saved(tables);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(HashTables::load(bytes.substr(0, length), {}).ok()) << length;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(HashTables::load(damaged, {}).ok()) << at;
  }
  EXPECT_FALSE(HashTables::load(bytes, {.distance = 4}).ok());
}

TEST(HashBlocks, OfWhichOneIsSparedByAnyFewBits) {
  for (const unsigned levels : {1U, 2U, 3U}) {
    const std::vector<HashBlocks> choices = all_choices(2, levels);
    for (unsigned a = 0; a < 64; ++a) {
      for (unsigned b = 0; b < 64; ++b) {
        const std::uint64_t difference = std::uint64_t{1} << a | std::uint64_t{1} << b;
        EXPECT_TRUE(
            std::ranges::any_of(choices, [&](const HashBlocks& blocks) { return blocks.spare(difference); }));
      }
    }
  }
}

TEST(HashBlocks, PutTheirBitsBehindEachOther) {
  const std::vector<HashBlocks> choices = all_choices(2, 2);
  ASSERT_EQ(choices.size(), 6U);
  EXPECT_EQ(choices.front().of(0x1234'5678'9ABC'DEF0U), 0x1234'5678U);
  EXPECT_EQ(choices.back().of(0x1234'5678'9ABC'DEF0U), 0x9ABC'DEF0U);
  EXPECT_EQ(choices[1].of(0x1234'5678'9ABC'DEF0U), 0x1234'9ABCU);
  EXPECT_EQ(choices[1].width(), 32U);
}

}  // namespace
}  // namespace qdedup::finder
