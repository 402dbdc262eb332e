#include <utility>

#include <gtest/gtest.h>

#include "refine/dropped_notation.h"

namespace qdedup::refine {
namespace {

void expect_same_joints(const char* a, const char* b, bool is_same) {
  EXPECT_EQ(same_dropped_notation(TextForms(a), TextForms(b)), is_same) << a << " / " << b;
  EXPECT_EQ(same_dropped_notation(TextForms(b), TextForms(a)), is_same) << b << " / " << a;
}

TEST(Joints, LettersThatOneTextPartsAreNotJoined) {
  for (const auto& [a, b] : {std::pair{"求ab的值", "求a、b的值"},
                             {"求x₁x₂的值", "求x₁，x₂的值"},
                             {"求AC·BC的值", "求AC，BC的值"},
                             {"A. may be B. maybe", "A. maybe B. may be"}}) {
    expect_same_joints(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"a、b、c是三边", "a，b，c是三边"},
                             {"求ab的值", "求a·b的值"},
                             {"求a b的值", "求ab的值"},
                             {"red, green and blue", "red，green and blue"}}) {
    expect_same_joints(a, b, true);
  }
}

TEST(Joints, OperandsThatOneTextPartsAreNotJoined) {
  for (const auto& [a, b] : {std::pair{"3、-5的两个点", "3-5的两个点"},
                             {"3 , -5", "3 - 5"},
                             {"3，-5，+2", "3-5+2"},
                             {"2、√3", "2√3"},
                             {"2、π", "2π"},
                             {"3、(2+1)", "3(2+1)"},
                             {"a、-b", "a-b"},
                             {"60°、30", "60°30"},
                             {"(1)(2)、(3)", "(1)、(2)(3)"},
                             {"12 345", "12、345"},
                             {"3〜5天", "3、5天"},
                             {"a · b", "a，b"},
                             {"a•b", "a、b"},
                             {"a・b", "a、b"},
                             {"→a·→b", "→a,→b"},
                             {"3\u2063 -5", "3-5"},
                             {"两数是三十、五", "两数是三十五"},
                             {"写出三十、五", "写写三十五"},
                             {"把二十、三十、四相加", "把二十三、十四相加"},
                             {"五分之二、十", "五分之二十"},
                             {"三百、零五", "三百零五"}}) {
    expect_same_joints(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"3、-5", "3 -5"},
                             {"2，√3", "2、 √3"},
                             {"一、二、三", "一 二 三"},
                             {"“3”、“5”", "“3”“5”"},
                             {"17\u2063 100", "17 100"},
                             {"甲、乙两地相距30", "甲乙两地相距30"}}) {
    expect_same_joints(a, b, true);
  }
}

}  // namespace
}  // namespace qdedup::refine
