#include "refine/dropped_notation.h"

#include <utility>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

TEST(DroppedNotation, TellsWhatTheDuplicateTestDrops) {
  for (const auto& [a, b] : {std::pair{"求f'(0)的值", "求f(0)的值"},
                             {"求f'(0)的值", "求f''(0)的值"},
                             {"点A'与点B", "点A与点B'"},
                             {"点A’关于l", "点A关于l"},
                             {"x̄的值", "x̂的值"},
                             {"0.3̇化成分数", "0.3化成分数"},
                             {"a⃗·b⃗", "a·b"},
                             {"a⊥̸b", "a⊥b"},
                             {"⌊a⌋", "⌈a⌉"},
                             {"⟨1⟩", "1"},
                             {"cos⟨a,b⟩", "cos a,b"},
                             {"‖x‖=2", "x=2"},
                             {"7!!的值", "7!的值"},
                             {"求n!!", "求n!"},
                             {"a#b=a+b", "a&b=a+b"},
                             {"区间[1,2)内", "区间(1,2]内"},
                             {"区间［1，2）内", "区间（1，2］内"},
                             {"画线部分是快乐\u0332地唱", "画线部分是快乐地唱\u0332"},
                             {"a\u0336b", "ab"},
                             {"0.3\u20E8化成分数", "0.3化成分数"},
                             {"加标点：下雨天，留客天", "加标点：下雨天留客，天"}}) {
    EXPECT_FALSE(same_dropped_notation(a, b)) << a << " / " << b;
    EXPECT_FALSE(same_dropped_notation(b, a)) << a << " / " << b;
    EXPECT_TRUE(same_dropped_notation(a, a)) << a;
  }
}

TEST(DroppedNotation, IsNoMatterOfStyle) {
  for (const auto& [a, b] : {std::pair{"点A'与点B", "点Ａ＇ 与点Ｂ"},
                             {"f’(0)=1", "f'(0) = 1。"},
                             {"It's Tom's.", "It’s Tom’s。"},
                             {"选“good”", "选'good'"},
                             {"小明，你好！", "小明你好"},
                             {"甲（1）乙[2]", "甲(1)乙［2］"},
                             {"é", "e\u0301"},
                             {"邮箱 a @ b", "邮箱 a@b"},
                             {"第1题 # 甲", "第1题甲"},
                             {"《〈论语〉新探》", "《论语》新探"},
                             {"我‖爱故乡", "我爱故乡"},
                             {"Hello!!", "Hello!"},
                             {"cos〈a,b〉", "cos⟨a,b⟩"},
                             {"小明很快乐\u0332地唱", "小明很快乐地唱"},
                             {"", "。"}}) {
    EXPECT_TRUE(same_dropped_notation(a, b)) << a << " / " << b;
    EXPECT_TRUE(same_dropped_notation(b, a)) << a << " / " << b;
  }
}

}  // namespace
}  // namespace qdedup::refine
