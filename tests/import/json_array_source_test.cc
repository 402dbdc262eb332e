#include "import/json_array_source.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/drain.h"
#include "tests/support/memory_source.h"

namespace qdedup::import {
namespace {

std::string array_lines(const std::string& bytes, std::size_t portion = 1000) {
  const auto source = json_array_lines(std::make_unique<MemorySource>(bytes, portion), "memory");
  const Drained lines = drain(*source, portion);
  return lines.bytes + (lines.error ? "error: " + lines.error->message : "");
}

TEST(JsonArrayLines, MakesALineOfEachElement) {
  EXPECT_EQ(array_lines(R"([{"a":1},{"b":[2,{}]}, "x,]\"" ,7,[]])"),
            "{\"a\":1}\n{\"b\":[2,{}]}\n\"x,]\\\"\" \n7\n[]\n");
  EXPECT_EQ(array_lines("[]"), "");
  EXPECT_EQ(array_lines(" \n[ \n ]\n"), "\n");
}

TEST(JsonArrayLines, LeavesElementsInTheirLines) {
  EXPECT_EQ(array_lines("[\n{\"a\":\n1},\n\n\n2,3,4,\n5,\n\n\n\n6]"),
            "\n{\"a\":\t1}\n\n\n\n2\n3\n4\n5\n\n6\n");
}

TEST(JsonArrayLines, NamesTheLineOfAMissingElement) {
  for (const std::size_t portion : {1U, 1000U}) {
    EXPECT_EQ(array_lines("[{},,{}]", portion), "{}\n,\n{}\n");
    EXPECT_EQ(array_lines("[ ,{},\n,\n\n,2]", portion), ",\n{}\n,\n,\n2\n");
  }
}

TEST(JsonArrayLines, PassesAnythingElseOn) {
  for (const std::string bytes :
       {"", " ", "{\"a\":[1,\n2]}\n[3]\n", "id,text\n1,[a]\n", "\xEF\xBB\xBF{}\n", "x[1]"}) {
    for (const std::size_t portion : {1U, 2U, 1000U}) EXPECT_EQ(array_lines(bytes, portion), bytes);
  }
  EXPECT_EQ(array_lines("[1]\n[2]\nx"), "1\n\n[2]\nx");
}

TEST(JsonArrayLines, PassesOverAByteOrderMark) { EXPECT_EQ(array_lines("\xEF\xBB\xBF [1]"), "1\n"); }

TEST(JsonArrayLines, NamesAnArrayWithoutEnd) {
  for (const std::string bytes : {"[", "[1", "[1,", "[\"]", "[{]"}) {
    EXPECT_TRUE(array_lines(bytes).ends_with("error: memory: the JSON array has no end")) << bytes;
  }
}

TEST(JsonArrayLines, MakesNoJsonOfWhatIsNone) {
  EXPECT_EQ(array_lines("[\"a\nb\",2]"), "\"a\tb\",2]error: memory: the JSON array has no end");
}

// A value in some writing: with blanks and line feeds, and with all that could be taken for an end.
std::string random_json(std::mt19937_64& random, int depth) {
  const auto blank = [&] { return std::string(random() % 3, " \n\t\r"[random() % 4]); };
  const char* const scalars[] = {"1", "-2.5e3", "null", "\"\"", R"("],[{},\"\\")", R"("\\\\\"")", "\"题\""};
  const std::size_t kind = random() % (depth > 3 ? 7 : 9);
  if (kind < 7) return scalars[kind];
  std::string text = kind == 7 ? "[" : "{";
  for (std::size_t i = 0, count = random() % 4; i < count; ++i) {
    text +=
        (i == 0 ? "" : ",") + blank() + (kind == 7 ? "" : "\"" + std::to_string(i) + "\"" + blank() + ":");
    text += blank() + random_json(random, depth + 1) + blank();
  }
  return text + blank() + (kind == 7 ? "]" : "}");
}

// The parser of a whole array is the slow twin.
TEST(JsonArrayLines, AgreesWithParsingAtOnce) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string array = "[";
    for (std::size_t i = 0, count = random() % 6; i < count; ++i)
      array += (i == 0 ? "" : ",\n") + random_json(random, 0);
    array += "]";
    nlohmann::json found = nlohmann::json::array();
    std::string lines = array_lines(array, 1 + random() % 20);
    for (std::size_t end = 0; (end = lines.find('\n')) != std::string::npos; lines.erase(0, end + 1)) {
      if (lines.find_first_not_of(" \t\r") < end)
        found.push_back(nlohmann::json::parse(lines.substr(0, end)));
    }
    ASSERT_EQ(found, nlohmann::json::parse(array)) << array;
  }
}

}  // namespace
}  // namespace qdedup::import
