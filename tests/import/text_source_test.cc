#include "import/text_source.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include "tests/support/drain.h"
#include "tests/support/memory_source.h"

namespace qdedup::import {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

std::string utf8_of(const std::string& bytes, const std::string& encoding = {}, std::size_t portion = 1000) {
  const auto source = as_utf8(std::make_unique<MemorySource>(bytes, portion), "bank.csv", encoding);
  if (!source.ok()) return "error: " + source.error().message;
  return drain(**source, portion).bytes;
}

std::string in(const char* encoding, const std::string& utf8) {
  const auto text = icu::UnicodeString::fromUTF8(utf8);
  std::string bytes(utf8.size() * 4 + 8, '\0');
  const auto size = static_cast<std::uint32_t>(bytes.size());
  bytes.resize(static_cast<std::size_t>(text.extract(0, text.length(), bytes.data(), size, encoding)));
  return bytes;
}

const std::string chinese = "id,text\n1,小明买了10本书，𠮷©€\n";

TEST(AsUtf8, PassesUtf8On) {
  for (const std::string& text : {""s, "a"s, chinese, "\xEF\xBB\xBFid\n"s, "a\0b"s}) {
    EXPECT_EQ(utf8_of(text), text);
    EXPECT_EQ(utf8_of(text, "utf-8", 1), text);
  }
}

TEST(AsUtf8, Decodes) {
  for (const std::size_t portion : {1U, 2U, 3U, 1000U}) {
    EXPECT_EQ(utf8_of(in("gb18030", chinese), "gb18030", portion), chinese);
    EXPECT_EQ(utf8_of(in("gb18030", chinese), "gbk", portion), chinese);
    EXPECT_EQ(utf8_of(in("UTF-16LE", chinese), "utf-16le", portion), chinese);
    EXPECT_EQ(utf8_of(in("UTF-16BE", chinese), "utf-16be", portion), chinese);
    EXPECT_EQ(utf8_of("\xFF\xFE" + in("UTF-16LE", chinese), "utf-16", portion), chinese);
    EXPECT_EQ(utf8_of("\xFE\xFF" + in("UTF-16BE", chinese), "utf-16", portion), chinese);
  }
}

TEST(AsUtf8, MarksBytesThatAreNoCharacterAndLosesNoLineFeed) {
  for (const std::size_t portion : {1U, 2U, 1000U}) {
    EXPECT_EQ(utf8_of("a\xFF\nb", "gb18030", portion), "a\xFF\nb");
    EXPECT_EQ(utf8_of("a\xB0\nb", "gb18030", portion), "a\xFF\nb");
    EXPECT_EQ(utf8_of("\xD0\xA1\xC3", "gb18030", portion), "小\xFF");
    EXPECT_EQ(utf8_of("\x84\x31\x0A", "gb18030", portion).back(), '\n');
    EXPECT_EQ(utf8_of("a\0\x00\xD8\n\0"s, "utf-16le", portion), "a\xFF\n");
  }
}

// Decoding at once is the slow twin.
TEST(AsUtf8, AgreesWithDecodingAtOnce) {
  std::mt19937_64 random(1);
  for (const char* const encoding : {"gb18030", "UTF-16LE"}) {
    for (int round = 0; round < 300; ++round) {
      icu::UnicodeString text;
      for (std::size_t i = 0, count = random() % 60; i < count; ++i) {
        const auto c = static_cast<UChar32>(random() % (random() % 2 == 0 ? 0x80 : 0x110000));
        text.append(c >= 0xD800 && c < 0xE000 ? UChar32{'\n'} : c);
      }
      std::string utf8;
      text.toUTF8String(utf8);
      const std::string bytes = in(encoding, utf8);
      const std::string option = encoding == "gb18030"s ? "gb18030" : "utf-16le";
      ASSERT_EQ(utf8_of(bytes, option, 1 + random() % 9), utf8);
    }
  }
}

TEST(AsUtf8, DecodesMoreThanAPiece) {
  std::string text;
  while (text.size() < 1U << 20U) text += chinese;
  EXPECT_EQ(utf8_of(in("gb18030", text), "gb18030", 100'003), text);
}

TEST(AsUtf8, NamesTheEncodingThatAFileSeemsToHave) {
  EXPECT_EQ(
      utf8_of(in("gb18030", "id,text\n1,小明\n")),
      "error: bank.csv: seems to be GB18030 (GBK), not UTF-8: read it with --encoding gb18030, or save it "
      "as UTF-8");
  EXPECT_EQ(
      utf8_of("\xFF\xFE" + in("UTF-16LE", chinese)),
      "error: bank.csv: seems to be UTF-16, not UTF-8: read it with --encoding utf-16, or save it as UTF-8");
  EXPECT_THAT(utf8_of("\xFE\xFF" + in("UTF-16BE", chinese)), HasSubstr("--encoding utf-16,"));
  EXPECT_THAT(utf8_of(in("UTF-16LE", chinese)), HasSubstr("--encoding utf-16le,"));
  EXPECT_THAT(utf8_of(in("UTF-16BE", chinese)), HasSubstr("--encoding utf-16be,"));
  EXPECT_EQ(utf8_of(chinese, "gb18030"), "error: bank.csv: is UTF-8, not GB18030: leave --encoding out");
}

TEST(AsUtf8, SuggestsNoOptionThatThereIsNone) {
  const std::string bytes = in("gb18030", "delete_id\n1,小明\n");
  const auto source = as_utf8(std::make_unique<MemorySource>(bytes, 1000), "list.csv", std::nullopt);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().message,
            "list.csv: seems to be GB18030 (GBK), not UTF-8: save it as UTF-8, or convert it with "
            "`iconv -f gb18030 -t utf-8`");
}

TEST(AsUtf8, FindsGb18030InAllButABrokenHead) {
  std::string text;
  while (text.size() < 1U << 18U) text += chinese;
  EXPECT_THAT(utf8_of(in("gb18030", text)), HasSubstr("GB18030"));
  EXPECT_THAT(utf8_of(in("gb18030", "{\"id\":1,\"text\":\"x\"}\n" + text) + "\xFF\n"), HasSubstr("GB18030"));
  EXPECT_EQ(utf8_of(text), text);
  for (std::size_t cut = 0; cut < 4; ++cut) {
    std::string line(cut, 'x');
    while (line.size() < 1U << 17U) line += "小明买书";
    ASSERT_EQ(utf8_of(line), line) << cut;
  }
}

// Rows that are broken are rejected one by one, and cost nothing else.
TEST(AsUtf8, LeavesBrokenUtf8ToItsRows) {
  const std::string texts[] = {"{\"id\":6,\"text\":\"\xFF\"}\n", chinese + "2,\xB0\xA1\n",
                               "1,caf\xE9 au lait\n", "1,小明买了书\xE5\x8F\n2,小\xE5\x8F\n",
                               "1,\xE5\x8F 小红有五个苹果\xE8\n"};
  for (const std::string& text : texts) EXPECT_EQ(utf8_of(text), text);
}

TEST(AsUtf8, SaysWhatIsNoText) {
  const auto error = [](const std::string& bytes) { return utf8_of(bytes, "gb18030"); };
  EXPECT_EQ(error("PK\x03\x04\x14\0\x06\0\x08\0[Content_Types].xml...PK\x03\x04 xl/workbook.xml"s),
            "error: bank.csv: is an XLSX workbook: save it as CSV UTF-8, or as tab-separated text");
  EXPECT_THAT(error("PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
              HasSubstr("an ODS"));
  EXPECT_THAT(error("PK\x03\x04 word/document.xml"), HasSubstr("a Word document"));
  EXPECT_THAT(error("PK\x03\x04 bank.csv"), HasSubstr("is packed with zip: unpack it"));
  EXPECT_THAT(error("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"s), HasSubstr("XLS"));
  EXPECT_THAT(error("%PDF-1.7\n"), HasSubstr("a PDF document"));
  EXPECT_THAT(error("SQLite format 3\0\x10"s), HasSubstr("an SQLite database: export the table as CSV"));
  EXPECT_THAT(error("BZh91AY&SY"), HasSubstr("packed with bzip2"));
  EXPECT_THAT(error("\xFD\x37zXZ\0\0"s), HasSubstr("packed with xz"));
  EXPECT_THAT(error("7z\xBC\xAF\x27\x1C\0"s), HasSubstr("packed with 7z"));
  EXPECT_THAT(error("Rar!\x1A\x07\0"s), HasSubstr("packed with rar"));
  EXPECT_THAT(error("<html><table>"), HasSubstr("an HTML page"));
  EXPECT_THAT(utf8_of("\xFF\xFE\0\0"s + in("UTF-32LE", chinese)), HasSubstr("is UTF-32: save it as UTF-8"));
  EXPECT_THAT(utf8_of("\0\0\xFE\xFF"s + in("UTF-32BE", chinese)), HasSubstr("is UTF-32: save it as UTF-8"));
  EXPECT_THAT(utf8_of("%PDF-1.7\n"), HasSubstr("a PDF document"));
}

}  // namespace
}  // namespace qdedup::import
