#include "finder/compact_text_store.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::finder {
namespace {

TEST(CompactTextStore, GivesBackWhatWasAdded) {
  CompactTextStore column;
  const std::vector<std::u32string> parts = {U"", U"小红买本书", U"\U00020000\U0002A6DF中", U"\uFA29\uE000",
                                             U"中"};
  for (std::uint32_t i = 0; i < parts.size(); ++i) EXPECT_EQ(column.add(parts[i]), i);
  EXPECT_EQ(column.size(), parts.size());
  std::u32string place;
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(column.read(i, place), parts[i]);
    EXPECT_EQ(column.length(i), parts[i].size());
  }
}

TEST(CompactTextStore, TakesPartsOfAnyLength) {
  CompactTextStore column;
  std::mt19937_64 random(1);
  std::vector<std::u32string> parts;
  for (int i = 0; i < 40; ++i) {
    parts.emplace_back(random() % 5 == 0 ? random() % 700'000 : random() % 100,
                       static_cast<char32_t>(0x4E00 + i));
    column.add(parts.back());
  }
  std::u32string place;
  for (std::uint32_t i = 0; i < parts.size(); ++i) ASSERT_TRUE(column.read(i, place) == parts[i]) << i;
}

}  // namespace
}  // namespace qdedup::finder
