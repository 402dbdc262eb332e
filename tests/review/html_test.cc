#include "review/html.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace qdedup::review {
namespace {

std::string text(std::string_view utf8) { return std::string(Html().text(utf8).view()); }

std::string mark(const std::string& name) { return "<span class=\"mark\">" + name + "</span>"; }

TEST(HtmlText, MarkupIsEscaped) {
  EXPECT_EQ(text("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
}

TEST(HtmlText, EntitiesAreEscaped) { EXPECT_EQ(text("&amp;&#60;]]>"), "&amp;amp;&amp;#60;]]&gt;"); }

TEST(HtmlText, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(text("今天\n的空气\t温度 10²\u3000é𠮷"), "今天\n的空气\t温度 10²\u3000é𠮷");
}

TEST(HtmlText, ControlCharactersBecomeMarks) {
  EXPECT_EQ(text(std::string_view("\0", 1)), mark("U+0000"));
  EXPECT_EQ(text("a\rb"), "a" + mark("U+000D") + "b");
  EXPECT_EQ(text("\x1b[31m"), mark("U+001B") + "[31m");
  EXPECT_EQ(text("\x7f\u0085"), mark("U+007F") + mark("U+0085"));
}

TEST(HtmlText, BidirectionalControlsBecomeMarks) {
  EXPECT_EQ(text("\u061C\u200E\u200F"), mark("U+061C") + mark("U+200E") + mark("U+200F"));
  EXPECT_EQ(text("\u202A\u202B\u202C\u202D\u202E"),
            mark("U+202A") + mark("U+202B") + mark("U+202C") + mark("U+202D") + mark("U+202E"));
  EXPECT_EQ(text("\u2066\u2067\u2068\u2069"),
            mark("U+2066") + mark("U+2067") + mark("U+2068") + mark("U+2069"));
}

TEST(HtmlText, InvisibleCharactersBecomeMarks) {
  EXPECT_EQ(text("\u00AD\u200B\uFEFF\u2028"),
            mark("U+00AD") + mark("U+200B") + mark("U+FEFF") + mark("U+2028"));
  EXPECT_EQ(text("\U000E0041"), mark("U+E0041"));
}

TEST(HtmlText, NoncharactersBecomeMarks) {
  EXPECT_EQ(text("\uFDD0\uFFFE\U0010FFFF"), mark("U+FDD0") + mark("U+FFFE") + mark("U+10FFFF"));
}

TEST(HtmlText, NeighboursOfUnseenCharactersStayAsTheyAre) {
  EXPECT_EQ(text("\u00A0\u00AC\u00AE\u061B\u2010\u2027\u202F\u2070\uFFFD"),
            "\u00A0\u00AC\u00AE\u061B\u2010\u2027\u202F\u2070\uFFFD");
}

TEST(HtmlText, MalformedUtf8BecomesReplacementCharacters) { EXPECT_EQ(text("a\xFF"), "a\uFFFD"); }

TEST(HtmlNumbers, CountsHaveGroupsOfThree) {
  const auto count = [](std::uint64_t number) { return std::string(Html().count(number).view()); };
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1'000), "1,000");
  EXPECT_EQ(count(60'000), "60,000");
  EXPECT_EQ(count(1'234'567), "1,234,567");
  EXPECT_EQ(count(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(HtmlNumbers, IdsHaveNone) {
  EXPECT_EQ(Html().digits(9'223'372'036'854'775'807).view(), "9223372036854775807");
}

TEST(Html, PiecesFollowEachOther) {
  EXPECT_EQ(Html().markup("<b>").text("<").markup("</b>").percent(6'667).view(), "<b>&lt;</b>66.67");
}

}  // namespace
}  // namespace qdedup::review
