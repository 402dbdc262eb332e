#include "refine/dropped_notation.h"

#include <string>
#include <string_view>
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
                             {"⌊甲⌋乙", "⌊甲乙⌋"},
                             {"cos⟨a,b⟩", "cos a,b"},
                             {"‖x‖=2", "x=2"},
                             {"7!!的值", "7!的值"},
                             {"求n!!", "求n!"},
                             {"f^''(1)", "f^'(1)"},
                             {"f^('')(1)", "f^'(1)"},
                             {"xy'+y=0", "xy+y=0"},
                             {"xy' + y=0", "xy + y=0"},
                             {"xy''=0", "xy'=0"},
                             {"求xy'的值", "求xy的值"},
                             {"[f(x)g(x)]'=2", "[f(x)g(x)]=2"},
                             {"{f(x)}'", "{f(x)}"},
                             {"|x|'", "|x|"},
                             {"2:√3", "2√3"},
                             {"30°:60°", "30°60°"},
                             {"|a| : |b|", "|a||b|"},
                             {"n′!", "n′"},
                             {"[x]!", "[x]"},
                             {"a#b=a+b", "a&b=a+b"},
                             {"区间[1,2)内", "区间(1,2]内"},
                             {"区间［1，2）内", "区间（1，2］内"},
                             {"画线部分是快乐\u0332地唱", "画线部分是快乐地唱\u0332"},
                             {"a\u0336b", "ab"},
                             {"点(x,-y)在", "点(x-y)在"},
                             {"求f(x,y)", "求f(xy)"},
                             {"集合{a,b}", "集合{ab}"},
                             {"f(g(x),y)", "f(g(x)y)"},
                             {"f(x,|y|)", "f(x|y|)"},
                             {"(a,bab)", "(aba,b)"},
                             {"标点正确的是苹果、梨子", "标点正确的是苹果，梨子"},
                             {"0.3\u20E8化成分数", "0.3化成分数"},
                             {"加标点：下雨天，留客天", "加标点：下雨天留客，天"}}) {
    EXPECT_FALSE(same_dropped_notation(TextForms(a), TextForms(b))) << a << " / " << b;
    EXPECT_FALSE(same_dropped_notation(TextForms(b), TextForms(a))) << a << " / " << b;
    EXPECT_TRUE(same_dropped_notation(TextForms(a), TextForms(a))) << a;
  }
}

TEST(DroppedNotation, IsNoMatterOfStyle) {
  for (const auto& [a, b] : {std::pair{"点A'与点B", "点Ａ＇ 与点Ｂ"},
                             {"f’(0)=1", "f'(0) = 1。"},
                             {"It's Tom's.", "It’s Tom’s。"},
                             {"选“good”", "选'good'"},
                             {"选“good”", "选‘good’"},
                             {"选“good”", "选''good''"},
                             {"解：√3", "解√3"},
                             {"好[笑]！", "好[笑]"},
                             {"小明，你好！", "小明你好"},
                             {"甲（1）乙[2]", "甲(1)乙［2］"},
                             {"é", "e\u0301"},
                             {"Good!! 3", "Good! 3"},
                             {"邮箱 a @ b", "邮箱 a@b"},
                             {"第1题 # 甲", "第1题甲"},
                             {"《〈论语〉新探》", "《论语》新探"},
                             {"我‖爱故乡", "我爱故乡"},
                             {"Hello!!", "Hello!"},
                             {"cos〈a,b〉", "cos⟨a,b⟩"},
                             {"小明很快乐\u0332地唱", "小明很快乐地唱"},
                             {"y=ax+b(a、b为常数)", "y=ax+b(a,b为常数)"},
                             {"点(x,y)", "点（x， y）"},
                             {"(苹果,梨)", "(苹果梨)"},
                             {"", "。"}}) {
    EXPECT_TRUE(same_dropped_notation(TextForms(a), TextForms(b))) << a << " / " << b;
    EXPECT_TRUE(same_dropped_notation(TextForms(b), TextForms(a))) << a << " / " << b;
  }
}

void expect_notation(std::string_view a, std::string_view b, bool is_same) {
  EXPECT_EQ(same_dropped_notation(TextForms(a), TextForms(b)), is_same) << a << " / " << b;
  EXPECT_EQ(same_dropped_notation(TextForms(b), TextForms(a)), is_same) << b << " / " << a;
}

TEST(DroppedNotation, BracketsWithChineseGroupWhereOperatorsStand) {
  for (const auto& [a, b] : {std::pair{"周长＝（长＋宽）×2", "周长＝长＋宽×2"},
                             {"(甲数+3)×2", "甲数+3×2"},
                             {"(甲+乙)的平方", "甲+乙的平方"},
                             {"甲×(乙的3倍)", "甲×乙的(3倍)"},
                             {"(甲+乙)×丙÷2", "甲+(乙×丙)÷2"},
                             {"((m_甲+m_乙)/V)", "m_甲+((m_乙)/V)"},
                             {"84÷【(8-6)×7】-3", "【84÷(8-6)×7】-3"},
                             {"80-〔16+24〕÷8", "80-16+24÷8"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"（长＋宽）×2", "[长+宽] ×2"},
                             {"小明（男）有3个", "小明男有3个"},
                             {"求周长（单位：厘米）", "求周长"},
                             {"【例1】求周长", "例1求周长"},
                             {"【例1】-3+5=", "例1-3+5="},
                             {"【题文】加热高锰酸钾", "题文加热高锰酸钾"},
                             {"【非选择题】负数的和", "非选择题负数的和"},
                             {"【例 点(x,y)", "例 点(x,y)"},
                             {"所以（长＋宽）×2等于多少", "因此（长＋宽）×2是多少"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, BlanksStandSomewhere) {
  for (const auto& [a, b] :
       {std::pair{"2、4、（　）、8、（　）", "2、4、8、（　）、（　）"},
        {"He ____ goes to school", "He goes to school ____"},
        {"我____喜欢", "我喜欢____"},
        {"我____很喜欢你", "我非常喜欢____你"},
        {"Tom ____ gets up early every morning. ( )", "Tom gets up ____ early every morning."},
        {"我国最大的淡水湖是____，在江西省（ ）", "我国最大的淡水湖是，在____江西省"},
        {"12 ____ 30", "12 30 ____"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"我____喜欢", "我（  ）喜欢"},
                             {"我__喜欢", "我【　】喜欢"},
                             {"2、4、（　）、8", "2，4， ______ ，8"},
                             {"我（____）喜欢", "我(?)喜欢"},
                             {"一共有____个苹果", "总共有（ ）只苹果"},
                             {"____、我喜欢____", "我喜欢____"},
                             {"最大的湖是____，在江西省（ ）", "最大的湖是____，在江西省"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, ManyBlanksOfWhichOneIsTheAnswersStandSomewhere) {
  std::string begin;
  for (int i = 0; i < 20; ++i) begin += "word" + std::string(1, static_cast<char>('a' + i)) + " ____ ";
  expect_notation(begin + "he ____ goes", begin + "he goes ____ (　)", false);
}

TEST(DroppedNotation, WhatIsTypedForASignCounts) {
  for (const auto& [a, b] : {std::pair{"若a=—2，b=3", "若a=2，b=3"},
                             {"点A是—3，点B是5", "点A是3，点B是—5"},
                             {"A.—3 B.0 C.2", "A.3 B.0 C.—2"},
                             {"24\uF0B46的结果", "24\uF0B86的结果"},
                             {"从1、2、3、…、9中", "从1、2、3、9中"},
                             {"a₁，a₂，⋯，aₙ", "a₁，a₂，aₙ"},
                             {"A.brothers' B.brother's", "A.brother's B.brothers'"},
                             {"把缩写形式写完整：we're", "把缩写形式写完整：were"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"'good'/'well'", "“good”/“well”"},
                             {"‘good’/‘well’", "“good”/“well”"},
                             {"'good' + 'well' = 'best'", "“good” + “well” = “best”"},
                             {"'3 dogs and a cat' is", "“3 dogs and a cat” is"},
                             {"小明——我的好朋友", "小明—我的好朋友"},
                             {"He said 'I know'", "He said \"I know\""},
                             {"原来如此……他有3本", "原来如此…他有3本"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, ChineseCharactersMayBeWrittenForSigns) {
  for (const auto& [a, b] : {std::pair{"丨x丨=3", "x=3"},
                             {"若﹁p则q", "若p则﹁q"},
                             {"计算丨a-b丨", "计算a-b"},
                             {"丨x+2丨=3", "丨x丨+2=3"},
                             {"丨 -3 丨的相反数", "-3的相反数"},
                             {"丨√2丨", "√2"},
                             {"〡x〡=3", "x=3"},
                             {"x一1=0", "x1=0"},
                             {"计算一3+5", "计算3+5"},
                             {"一3+5", "3+一5"},
                             {"A.一2 B.1", "A.2 B.一1"},
                             {"求一x+2的值", "求x+2的值"},
                             {"一丨x丨", "丨x丨"},
                             {"x=—|y|", "x=|y|"},
                             {"2一[x+2]=2", "2[x+2]=2"},
                             {"2一{x+2}=2", "2{x+2}=2"},
                             {"(一∞,2]", "(∞,2]"},
                             {"一∛2", "∛2"},
                             {"求一.5x", "求.5x"},
                             {"求一.5+x", "求一5+x"},
                             {"2一²x", "2²x"},
                             {"2—[x+2]=2", "2[x+2]=2"},
                             {"2—△x", "2△x"},
                             {"某数一3是5", "某数3是5"},
                             {"3口8=6", "3 8=6"},
                             {"x土1", "x1"},
                             {"3兀r", "3r"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"丨x丨=3", "︱x︱=3"},
                             {"x一1=0", "x—1=0"},
                             {"笔画“丨”的名称", "笔画的名称"},
                             {"2一[x+2]=2", "2—[x+2]=2"},
                             {"任一x都有x=1", "任意x都有x=1"},
                             {"任一3位数", "任意3位数"},
                             {"另一2位数与同一3位数", "另外2位数与同样3位数"},
                             {"第一2班", "第2班"},
                             {"每一3人", "每一3人"},
                             {"一个a和第一b", "个a和第b"},
                             {"一、3+5", "3+5"},
                             {"(一)3口人", "3口人"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, EndsOfRaisedAndLoweredRunsCount) {
  for (const auto& [a, b] : {std::pair{"an=2ⁿ⁺¹", "an=2ⁿ+1"},
                             {"2ⁿ⁻¹", "2ⁿ-1"},
                             {"x²⁺¹", "x²+1"},
                             {"log₂16", "log₂₁6"},
                             {"3ˣ=81", "3x=81"},
                             {"2ˣ⁺¹", "2x^+1"},
                             {"(-1)ᵏ", "(-1)k"},
                             {"logₐx", "logax"},
                             {"x²⁺y", "x²+y"},
                             {"︱-3︱的相反数", "-3的相反数"},
                             {"︳-3︳", "-3"},
                             {"︱x︱+2", "—x+2"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"10⁻²m", "10^-2m"},
                             {"x²+y²", "x^2+y^2"},
                             {"a₁b₂", "a\uE0001b\uE0002"},
                             {"Ca²⁺ 与 Na⁺", "Ca^2+与Na^+"},
                             {"f⁽²⁾(x)", "f^(2)(x)"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, NumbersOfItemsAreNoWholePartsOfDecimals) {
  for (const auto& [a, b] : {std::pair{"⒈5×4", "1.5×4"}, {"⒈25", "1.25"}, {"⒈５", "1.5"}, {"⒈⒉", "1.2."}})
    expect_notation(a, b, false);
  for (const auto& [a, b] : {std::pair{"⒈5×4", "⒈５×4"}, {"⒈甲", "1.甲"}, {"⒈ 5×4", "1. 5×4"}})
    expect_notation(a, b, true);
}

TEST(DroppedNotation, HalfOpenIntervalsHaveBracketsInside) {
  for (const auto& [a, b] : {std::pair{"[½，1)", "(½，1]"},
                             {"[f(0),f(1))", "(f(0),f(1)]"},
                             {"{[√(2),3)}", "{(√(2),3]}"},
                             {"1) [1、2)", "1) (1、2]"},
                             {"[1；2)", "(1；2]"}}) {
    expect_notation(a, b, false);
  }
  expect_notation("（1] [2,3)", "1 [2，3）", true);
}

TEST(DroppedNotation, AnEllipsisBehindASignCountsWhateverFollows) {
  for (const auto& [a, b] : {std::pair{"0.999…与1", "0.999与1"},
                             {"D.0.1010010001…", "D.0.1010010001"},
                             {"0.666…和0.66", "0.666和0.66…"},
                             {"1，3，5，7…的", "1，3，5，7的"},
                             {"（ ）÷7=8……（ ）", "（ ）÷7=8（ ）"},
                             {"（ ）…7", "（ ）7"},
                             {"△÷8=6……○", "△÷8=6○"},
                             {"17÷□=□⋯2", "17÷□=□2"}}) {
    expect_notation(a, b, false);
  }
  expect_notation("1、2、…、9", "1，2……，9", true);
}

TEST(DroppedNotation, DoubleAndLeftQuotesMayBePrimes) {
  for (const auto& [a, b] : {std::pair{"f\"(1)", "f(1)"},
                             {"f”(1)", "f(1)"},
                             {"f‘(1)", "f(1)"},
                             {"f“(1)", "f(1)"},
                             {"y\"+y=0", "y+y=0"},
                             {"f\"的零点", "f的零点"},
                             {"5'30\"", "5'30"},
                             {"f'(0)+f(1)", "f(0)+f'(1)"},
                             {"'70年代的题, 解 xy'+y=0", "'70年代的题, 解 xy+y=0"},
                             {"他说:'解 xy'+y=0", "他说:'解 xy+y=0"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"f\"(1)", "f''(1)"},
                             {"选\"A\"", "选A"},
                             {"选“A”(3分)", "选A(3分)"},
                             {"A\"好\"", "A“好”"},
                             {"用A“好”", "用A好"},
                             {"选“A\"的", "选A的"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, PunctuationOfCodeCounts) {
  for (const auto& [a, b] : {std::pair{"s[2:]", "s[:2]"},
                             {"s[2:]", "s[2]"},
                             {"s[::-1]", "s[-1]"},
                             {"x != 0", "x = 0"},
                             {"if(!x)", "if(x)"},
                             {"A\\B", "AB"},
                             {"[1 2;3 4;5 6]", "[1 2 3;4 5 6]"},
                             {"C语言中!(a>b)", "C语言中(a>b)"},
                             {"print(\"3+4\")", "print(3+4)"},
                             {"Python中\"12\"+\"34\"", "Python中12+34"},
                             {"Python中\"2\"*3", "Python中2*3"},
                             {"Python中f()", "Python中f"},
                             {"printf(\"\\n\")", "printf(\"n\")"},
                             {"正则\\d", "正则d"},
                             {"正则ab?c", "正则abc"},
                             {"程序的a.b", "程序的ab"},
                             {"变量名my_name", "变量名my name"},
                             {"语句for(i=0;i<5;i++);i", "语句for(i=0;i<5;i++)i"},
                             {"语句f(&a)", "语句f(a)"},
                             {"Python中(1,)", "Python中(1)"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"Good! 3", "Good 3"},
                             {"好！3个", "好3个"},
                             {"[答案:3]", "[答案3]"},
                             {"在Python中，s='a'。", "在Python中s=’a’"},
                             {"程序是？A.f B.g；", "程序是 A. f；B．g"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, NumbersBeginAndEndInTheSamePlaces) {
  for (const auto& [a, b] : {std::pair{"计算.5×8", "计算5×8"},
                             {"p=.05", "p=05"},
                             {"0.3·化成分数", "0.3化成分数"},
                             {"2 3/4的倒数", "2、3/4的倒数"},
                             {"3※4•5", "3•4※5"},
                             {"3——5", "3、5"},
                             {"2·5", "2、5"},
                             {"a way", "away"},
                             {"a\U000F0001b", "ab"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"包装．3大盒", "包装3大盒"},
                             {"1/2 3/4", "1/2、3/4"},
                             {"1950——1952年", "1950年至1952年"},
                             {"3·15晚会", "315晚会"},
                             {"a bc", "a，bc"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, SpeechBeginsBehindTheSameWords) {
  expect_notation("小明说：“爸爸去了。”", "小明说爸爸：“去了。”", false);
  expect_notation("小明说：“爸爸去了。”", "小明说道：\"爸爸去了\"", true);
  expect_notation("小明说：“爸爸去了。”", "小明说，“爸爸去了。”", true);
}

// Quadratic time would take minutes.
TEST(LargeTexts, TakeLinearTimeWithManyEllipses) {
  std::string dots = "1";
  for (int i = 0; i < 300'000; ++i) dots += "⋯ ... ";
  EXPECT_FALSE(same_dropped_notation(TextForms(dots + "2"), TextForms("1 2")));
}

TEST(DroppedNotation, BracketsGroupWordsOfOperations) {
  for (const auto& [a, b] : {std::pair{"五减三加一", "五减（三加一）"},
                             {"六除以二乘三", "六除以（二乘三）"},
                             {"十减（五加二）", "（十减五）加二"},
                             {"（非负）整数", "非（负整数）"},
                             {"（小草）绿了，柳树发芽", "小草绿了，（柳树）发芽"},
                             {"（小草（绿））柳树", "（小草）（绿）柳树"}}) {
    expect_notation(a, b, false);
  }
  expect_notation("小明（男）和小红（女）", "小明（男）与小红（女）", true);
}

TEST(DroppedNotation, MoreCharactersTellSomething) {
  for (const auto& [a, b] : {std::pair{"3(1/2)", "3·(1/2)"},
                             {"计算 5 ! ÷ 3", "计算 5 ÷ 3"},
                             {"(n+1) !的值", "(n+1)的值"},
                             {"n !的值", "n的值"},
                             {"︵AB", "AB"},
                             {"f‵(x)", "f(x)"},
                             {"ⅠⅡ", "Ⅲ"},
                             {"ⅠⅢ", "ⅡⅡ"},
                             {"C#语言", "C语言"},
                             {"写出·OH的电子式", "写出OH的电子式"},
                             {"边长是A !的", "边长是A的"},
                             {"\u0E17\u0E35", "\u0E17\u0E19\u0E37"},
                             {"\u0915\u093F", "\u0915\u093E"},
                             {"🏴\U000E0067\U000E0062\U000E007F", "🏴\U000E0066\U000E0072\U000E007F"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"2·(3+1)", "2(3+1)"},
                             {"Good !", "Good"},
                             {"3（  ） ！", "3（ ）"},
                             {"AC·BC", "ACBC"},
                             {"约翰·F·肯尼迪", "约翰•F・肯尼迪"},
                             {"3·(1/2)", "3•(1/2)"},
                             {"Ⅲ", "III"},
                             {"☺\uFE0F", "☺"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, WordsAreWhatIsAskedAbout) {
  expect_notation("没有错别字的一项是 A.再接再厉", "没有错别字的一项是 A.再接再励", false);
  expect_notation("引号的作用：他真“聪明”", "引号的作用：他真聪明“”", false);
  expect_notation("“再接再厉”有没有错别字 A.有 B.没有", "“再接再历”有没有错别字 A.有 B.没有", false);
  expect_notation("书写有错的一组是 A.厉 B.纪", "书写有错的一组是 A.历 B.纪", false);
  expect_notation("分号使用正确的是：天黑；下雨，", "分号使用正确的是：天黑，下雨；", false);
  expect_notation("正确使用分号的是：天黑；下雨，", "正确使用分号的是：天黑，下雨；", false);
  expect_notation("添上百分号；用逗号隔开", "添上百分号，用逗号隔开", true);
  for (const auto& [a, b] :
       {std::pair{"是陈述句还是疑问句：他在北京。", "是陈述句还是疑问句：他在北京？"},
        {"下面的句子是什么语气：他来了！", "下面的句子是什么语气：他来了。"},
        {"下列句式属于感叹句的是：他来了！", "下列句式属于感叹句的是：他来了。"},
        {"句末应该用什么符号：他来了？", "句末应该用什么符号：他来了！"},
        {"有几个逗号：天黑，下雨了", "有几个逗号：天黑下雨了"},
        {"朗读停顿正确的是：我 爱故乡", "朗读停顿正确的是：我爱 故乡"},
        {"节奏划分正确的是：我/爱故乡", "节奏划分正确的是：我爱/故乡"},
        {"Which has the right punctuation: Go! or Go.", "Which has the right punctuation: Go. or Go!"},
        {"写出括号里的词语的意思：（小草）柳树", "写出括号里的词语的意思：小草（柳树）"},
        {"写出方括号里的词语的意思：[小草]柳树", "写出方括号里的词语的意思：小草[柳树]"},
        {"冒号后面的词是什么：小草：柳树", "冒号后面的词是什么：小草柳树："},
        {"解释引号中的词：“小草”柳树", "解释引号中的词：小草“柳树”"},
        {"Explain the quoted word: \"grass\" tree", "Explain the quoted word: grass \"tree\""}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"我 爱故乡，", "我爱 故乡"},
                             {"在括号里填数。1，2", "在括号里填数1，2。"},
                             {"改成反问句。他来了。", "改成反问句：他来了"},
                             {"朗读停顿正确的是 A. 我爱", "朗读停顿正确的是A.我爱"}}) {
    expect_notation(a, b, true);
  }
  expect_notation("他再接再厉", "他再接再励", true);
  expect_notation("下列词语中，没有错别字的一项是 A. 再接再厉", "下列词语没有错别字的一项是 A．再接再厉",
                  true);
}

TEST(DroppedNotation, CellsEndInTheSamePlacesWhereBothTextsHaveAny) {
  for (const auto& [a, b] : {std::pair{"x\u2063 -y\u2064\n1\u2063 2", "x-y\u2063 1\u2064\n2"},
                             {"1\u2063 2\u2063 3", "1\u2064\n2\u2064\n3"},
                             {"1\u2063 2 3", "1 2\u2063 3"},
                             {"1\u2063\u2063 2", "1\u2063 2"},
                             {"1\u2063\u2064\n\u2063 2", "1\u2064\n2"}}) {
    expect_notation(a, b, false);
  }
  for (const auto& [a, b] : {std::pair{"x\u2063 -y\u2064\n1\u2063 2", "x -y 1 2"},
                             {"1\u2063 ____\u2063\n2", "1\u2063 2"},
                             {"1\u2063 甲\u2063 2\u2063 3", "1甲2\u2063\n3"}}) {
    expect_notation(a, b, true);
  }
}

TEST(DroppedNotation, WhereALineOfPythonBeginsMatters) {
  const std::string stem = "下面的Python程序输出什么？\nfor i in x:\n";
  expect_notation(stem + "  s=i\n  print(s)\n请写出", stem + "  s=i\nprint(s)\n请写出", false);
  expect_notation(stem + "  s=i\n\n  print(s)\n请写出", stem + "\t\ts=i\n\t\tprint(s)\r\n请写出", true);
  const std::string other = "下面的C语言程序输出什么？\nfor(;;)\n";
  expect_notation(other + "  s=i;\n  print(s)", other + "  s=i;\nprint(s)", true);
}

TEST(DroppedNotation, MarkedWordsAreWhatIsAskedAbout) {
  for (const auto& [a, b] :
       {std::pair{"解释黑体字：走\u0332马观花", "解释黑体字：走马观\u0332花"},
        {"加点字：好马不吃回头草好\u20E8", "加点字：好\u20E8马不吃回头草好"},
        {"Which underlined word is a noun: cat\u0332 or run",
         "Which underlined word is a noun: cat or run\u0332"},
        {"解释红色的词：走\u0347马观花", "解释红色的词：走马观\u0347花"},
        {"解释标记的成语：走\u0347马观花", "解释标记的成语：走马观\u0347花"},
        {"Explain the words in bold: 走\u0347马观花", "Explain the words in bold: 走马观\u0347花"},
        {"不同的一项是 A. ca\u0332t", "不同的一项是 A. c\u0332at"}}) {
    expect_notation(a, b, false);
  }
  for (const char* const line :
       {"\u0332", "\u0332\u033C", "\u0332\u0320", "\u0332\u0333", "\u20E8", "\u0347"}) {
    const std::string c = std::string("c") + line;
    const std::string d = std::string("d") + line;
    EXPECT_FALSE(same_dropped_notation(TextForms(c + "at dog"), TextForms("cat " + d + "og"))) << line;
    EXPECT_FALSE(same_dropped_notation(TextForms("\u206Ab" + c + "at"), TextForms("b" + c + "at"))) << line;
    EXPECT_TRUE(same_dropped_notation(TextForms(c + " dog"), TextForms("c dog"))) << line;
  }
  // Two lines, of which the outer one begins in another place
  expect_notation("ab\u206Aab\u206Abc\u0332\u0332d", "\u206Aabab\u206Abc\u0332\u0332d", false);
  // A wavy line ends one, not two.
  expect_notation("\u206Aa\u206Abc\u0332\u033Cd\u0305", "a\u206Abc\u0332\u033C\u206Ad\u0305", false);
  expect_notation("\u206AAB\u0305", "A\u206AB\u0305", false);
  expect_notation("加点字：\u206A走马\u20E8观花", "加点字：走\u206A马\u20E8观花", false);
  expect_notation("走\u0332马观花", "走马观花\u0332", false);
  expect_notation("走\u0332马观花", "走马观花", true);
  expect_notation("读 \u206Ath\u0332e", "读 t\u206Ahe\u0332", false);
  expect_notation("读 t\u206Ahe\u0332", "读 the", false);
  expect_notation("读 \u206Athe\u0332 cat", "读 the cat", true);
  expect_notation("小明喜欢 t\u0332h\u0332e\u0332 cat", "小明喜欢 the cat", true);
}

TEST(DroppedNotation, CountsInOptionsThatAreAlikeWithoutIt) {
  expect_notation("字符串是 A.12 B.\"12\" C.5", "字符串是 A.\"12\" B.12 C.5", false);
  expect_notation("断句是 A.其一 犬坐于前 B.其一犬 坐于前", "断句是 A.其一犬 坐于前 B.其一 犬坐于前", false);
  expect_notation("正确的，是 A.其一 犬坐于前 B.其一犬 坐于前", "正确的是 A.其一 犬坐于前 B.其一犬 坐于前",
                  true);
  expect_notation("它是 A.f'(x) B.f(x)", "它是 (A)f'(x); (B)f(x)。", true);
  expect_notation("它是 A.“好” B.坏", "它是 A.好 B.坏", true);
}

}  // namespace
}  // namespace qdedup::refine
