#include "base/escaped.h"

#include <gtest/gtest.h>

namespace qdedup {
namespace {

using namespace std::string_view_literals;

TEST(Escaped, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(escaped("/logs/a b.log"), "/logs/a b.log");
  EXPECT_EQ(escaped("多少\u00e9.log"), "多少\u00e9.log");
  EXPECT_EQ(escaped("a\nREADY=1\x1b[31m\tb\0c\x7f"sv), R"(a\nREADY=1\x1b[31m\x09b\x00c\x7f)");
  EXPECT_EQ(escaped("\u009b1m"), R"(\xc2\x9b1m)");
  EXPECT_EQ(escaped("a\u202eb\u2069"), R"(a\xe2\x80\xaeb\xe2\x81\xa9)");
  EXPECT_EQ(escaped("a\xff\xe5\xa4"), R"(a\xff\xe5\xa4)");
  EXPECT_EQ(escaped(escaped("a\n\x1b")), escaped("a\n\x1b"));
}

TEST(TerminalText, KeepsLines) { EXPECT_EQ(terminal_text("a\tb\r\nc\x1b[2J\n"), "a\tb\r\nc\\x1b[2J\n"); }

TEST(TerminalText, LetsNothingBeWrittenOver) {
  EXPECT_EQ(terminal_text("bad\rgood\r\n"), "bad\\x0dgood\r\n");
}

TEST(Escaped, KeepsTheLinesOfAMessageApartFromOthers) {
  EXPECT_EQ(escaped_lines("one\x1b\ntwo\nthree"), "one\\x1b\n  two\n  three");
}

}  // namespace
}  // namespace qdedup
