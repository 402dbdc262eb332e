#include "refine/alignment.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "refine/unicode.h"
#include "tests/reference/text_distance.h"

namespace qdedup::refine {
namespace {

// The alignment for reading: "same[only a|only b]same".
std::string drawn(std::u32string_view a, std::u32string_view b, std::size_t max_differences = 1000) {
  std::u32string drawing;
  for (const AlignedStretch& stretch : align(a, b, max_differences)) {
    const auto a_part = a.substr(stretch.a_begin, stretch.a_end - stretch.a_begin);
    const auto b_part = b.substr(stretch.b_begin, stretch.b_end - stretch.b_begin);
    if (stretch.same) {
      drawing += a_part;
    } else {
      drawing.append(U"[").append(a_part).append(U"|").append(b_part).append(U"]");
    }
  }
  return to_utf8(drawing);
}

TEST(Alignment, ShowsAReplacementAsOneStretch) {
  EXPECT_EQ(drawn(U"小红买10本书", U"小明买10本书"), "小[红|明]买10本书");
}

TEST(Alignment, ComparesTheCommonStartFirst) { EXPECT_EQ(drawn(U"甲甲乙", U"甲乙"), "甲[甲|]乙"); }

TEST(Alignment, FindsSeveralDifferences) {
  EXPECT_EQ(drawn(U"比松树的棵数少2棵", U"比柏树的棵数多了2棵"), "比[松|柏]树的棵数[少|多了]2棵");
}

TEST(Alignment, DeletesBeforeItInserts) { EXPECT_EQ(drawn(U"甲乙", U"乙甲"), "[甲|]乙[|甲]"); }

TEST(Alignment, BeyondTheLimitTheMiddleIsOneStretch) {
  EXPECT_EQ(drawn(U"始甲乙丙末", U"始丁乙戊末", 4), "始[甲|丁]乙[丙|戊]末");
  EXPECT_EQ(drawn(U"始甲乙丙末", U"始丁乙戊末", 3), "始[甲乙丙|丁乙戊]末");
  EXPECT_EQ(drawn(U"始甲末", U"始乙末", 0), "始[甲|乙]末");
}

// How much of `a` an alignment calls the same; checks on the way that it is well formed.
std::size_t check_alignment(std::u32string_view a, std::u32string_view b,
                            const std::vector<AlignedStretch>& stretches) {
  std::size_t common = 0;
  AlignedStretch last{.same = false, .a_begin = 0, .a_end = 0, .b_begin = 0, .b_end = 0};
  for (const AlignedStretch& stretch : stretches) {
    EXPECT_EQ(stretch.a_begin, last.a_end);
    EXPECT_EQ(stretch.b_begin, last.b_end);
    EXPECT_TRUE(stretch.a_end > stretch.a_begin || stretch.b_end > stretch.b_begin);
    EXPECT_TRUE(&stretch == stretches.data() || stretch.same != last.same);
    if (stretch.same) {
      const std::size_t length = stretch.a_end - stretch.a_begin;
      EXPECT_EQ(a.substr(stretch.a_begin, length),
                b.substr(stretch.b_begin, stretch.b_end - stretch.b_begin));
      common += length;
    }
    last = stretch;
  }
  EXPECT_EQ(last.a_end, a.size());
  EXPECT_EQ(last.b_end, b.size());
  return common;
}

TEST(AlignmentTwin, IsWellFormedAndCheapest) {
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < 5000; ++i) {
    std::u32string a(random() % 30, U'\0');
    std::u32string b(random() % 30, U'\0');
    const auto fill = [&](char32_t& c) { c = U'a' + static_cast<char32_t>(random() % (2 + i % 8)); };
    std::ranges::for_each(a, fill);
    std::ranges::for_each(b, fill);
    const std::size_t common = std::max(a.size(), b.size()) - reference::lcs_distance(a, b);
    ASSERT_EQ(check_alignment(a, b, align(a, b)), common);
    const std::size_t differences = a.size() + b.size() - 2 * common;
    ASSERT_EQ(align(a, b, differences), align(a, b));
    if (differences > 0) check_alignment(a, b, align(a, b, differences - 1));
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace qdedup::refine
