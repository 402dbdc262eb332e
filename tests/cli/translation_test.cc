#include "cli/translation.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sampled.h"

namespace qdedup::cli {
namespace {

using ::testing::HasSubstr;

struct Entry {
  std::string english;
  std::string chinese;
};

std::vector<Entry> messages() {
  std::vector<Entry> entries;
  std::istringstream lines{std::string(chinese_messages)};
  for (std::string english; std::getline(lines, english);) {
    if (english.empty() || english.front() == '#') continue;
    entries.push_back({english, ""});
    std::getline(lines, entries.back().chinese);
  }
  return entries;
}

// The names of the places for values, in their order; of a plural none.
std::vector<std::string> names_of(const std::string& pattern) {
  std::vector<std::string> names;
  for (std::size_t open = pattern.find('{'); open != std::string::npos; open = pattern.find('{', open + 1)) {
    const std::string name = pattern.substr(open + 1, pattern.find('}', open) - open - 1);
    if (name != "s") names.push_back(name);
  }
  return names;
}

std::string filled(std::string pattern, const std::map<std::string, std::string>& values, bool plural) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    text += pattern.substr(0, open);
    pattern.erase(0, open);
    if (pattern.empty()) break;
    const std::size_t close = pattern.find('}');
    const std::string name = pattern.substr(1, close - 1);
    text += name == "s" ? (plural ? "s" : "") : values.at(name);
    pattern.erase(0, close + 1);
  }
  return text;
}

bool joins_messages_only(const std::string& pattern) {
  std::map<std::string, std::string> nothing;
  for (const std::string& name : names_of(pattern)) nothing[name] = "";
  const std::string literals = filled(pattern, nothing, false);
  return std::ranges::none_of(literals,
                              [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

class TranslationTest : public ::testing::Test {
 protected:
  std::string random_number() {
    return std::to_string(std::uniform_int_distribution<std::uint64_t>(0, UINT64_MAX)(random_) >>
                          std::uniform_int_distribution<unsigned>(1, 60)(random_));
  }

  const Entry& random_entry() {
    return entries_[std::uniform_int_distribution<std::size_t>(0, entries_.size() - 1)(random_)];
  }

  std::mt19937_64 random_{20261126};
  std::vector<Entry> entries_ = messages();
  Translation chinese_{{}};
};

TEST_F(TranslationTest, EveryEntryIsFoundAndKeepsItsValues) {
  ASSERT_GT(entries_.size(), 300U);
  for (int round = 0; round < sampled(20); ++round) {
    for (const Entry& entry : entries_) {
      if (joins_messages_only(entry.english)) continue;
      std::map<std::string, std::string> values;
      for (const std::string& name : names_of(entry.english))
        values[name] = name.starts_with('#') ? random_number() : "/v-" + random_number() + "/题";
      const std::string english = filled(entry.english, values, round % 2 == 0);
      EXPECT_EQ(chinese_.message(english), filled(entry.chinese, values, false)) << english;
    }
  }
}

// Whatever a marked value looks like: it is what other messages are made of.
TEST_F(TranslationTest, MarkedValuesStayWhateverTheyLookLike) {
  for (int round = 0; round < sampled(5'000); ++round) {
    const Entry& entry = random_entry();
    if (joins_messages_only(entry.english)) continue;
    std::map<std::string, std::string> marked;
    std::map<std::string, std::string> plain;
    for (const std::string& name : names_of(entry.english)) {
      plain[name] = name.starts_with('#') ? random_number() : random_entry().english + random_entry().english;
      std::ostringstream value;
      mark_verbatim(value);
      if (!name.starts_with('#')) value << Verbatim{plain[name]};
      marked[name] = name.starts_with('#') ? plain[name] : value.str();
    }
    EXPECT_EQ(chinese_.messages(filled(entry.english, marked, true)), filled(entry.chinese, plain, false));
  }
}

TEST_F(TranslationTest, ArgumentsStayWhateverTheyLookLike) {
  for (int round = 0; round < sampled(100); ++round) {
    const std::string name = random_entry().english + " x";
    const Translation chinese({"import", "--state=" + name, name});
    EXPECT_EQ(chinese.message("qdedup: " + name + ": No such file or directory"),
              "qdedup: " + name + ": 没有这个文件或目录");
  }
  const Translation header({"mine", "header"});
  EXPECT_EQ(header.message("qdedup: header: Permission denied"), "qdedup: header: 没有权限");
}

// Messages within messages, unmarked: no number of theirs is lost.
TEST_F(TranslationTest, NumbersOfNestedMessagesStay) {
  std::map<std::string, std::string> sevens;
  for (const Entry& entry : entries_) {
    for (const std::string& name : names_of(entry.english)) sevens[name] = "7";
  }
  for (int round = 0; round < sampled(5'000); ++round) {
    const std::string inner = filled(random_entry().english, sevens, true);
    const Entry& outer = random_entry();
    std::map<std::string, std::string> values;
    for (const std::string& name : names_of(outer.english))
      values[name] = name.starts_with('=') ? inner : random_number();
    const std::string chinese = chinese_.message("qdedup: a.csv:17: " + filled(outer.english, values, false));
    EXPECT_THAT(chinese, HasSubstr("a.csv:17"));
    for (const auto& [name, value] : values) {
      if (name.starts_with('=')) continue;
      EXPECT_THAT(chinese, HasSubstr(value));
    }
  }
}

TEST_F(TranslationTest, WhatIsNotKnownStays) {
  for (const char* text :
       {"", " ", ": ", "qdedup: something else", "{}", "{#n}", "\x01", "\x01\x80", "\x02", "(", "; "}) {
    EXPECT_EQ(chinese_.message(text), text);
    EXPECT_EQ(chinese_.messages(text), text);
  }
  EXPECT_EQ(chinese_.message("a.txt: something else; nothing was changed. Be careful"),
            "a.txt: something else；未作任何改动。Be careful");
  EXPECT_EQ(chinese_.messages("ok\nunheard of\n\nok"), "没有问题\nunheard of\n\n没有问题");
}

// Nothing of this takes more than moments: the work on a message is bounded.
TEST_F(TranslationTest, HostileMessagesAreBounded) {
  for (const std::string piece :
       {": ", "; ", ", ", " (", "is required ", "x; nothing was changed. ", "5 lines: ", "1, 2 rejected ",
        "\"", "{=a}", "`", "is is by now by now ", " in favour of 1 is "}) {
    std::string text;
    while (text.size() + piece.size() < 8'192) text += piece;
    EXPECT_FALSE(chinese_.message(text).empty());
    EXPECT_FALSE(chinese_.message("qdedup: x" + text.substr(0, 4'000) + "; see `qdedup --help`").empty());
    while (text.size() < sampled(1'000'000U)) text += text;
    EXPECT_EQ(chinese_.message(text), text);
  }
}

TEST_F(TranslationTest, ProgressIsPutTogether) {
  EXPECT_EQ(chinese_.message("1,234 questions (3 %), 10 s left"), "1,234 道题（3 %），还需 10 秒");
  EXPECT_EQ(chinese_.message("3.4 MB (99 %), 3 min left"), "3.4 MB（99 %），还需 3 分钟");
  EXPECT_EQ(chinese_.message("3.4 MB"), "3.4 MB");
  EXPECT_EQ(chinese_.term("merge"), "合并");
}

TEST_F(TranslationTest, WhatWasFoundInAFileStays) {
  EXPECT_EQ(chinese_.message("a.csv:3: id is not an integer from 1 to 2^63-1 (text is missing)"),
            "a.csv:3: 题号不是 1 到 2^63-1 的整数（text is missing）");
  EXPECT_EQ(chinese_.message("a.csv:3: wrong number of fields (3 instead of 2)"),
            "a.csv:3: 字段数不对（有 3 个，应为 2 个）");
}

TEST_F(TranslationTest, HelpIsFoundAsAWhole) {
  EXPECT_EQ(chinese_.term("Print results as JSON"), "以 JSON 输出结果");
  EXPECT_EQ(chinese_.term("Print results"), "Print results");
}

}  // namespace
}  // namespace qdedup::cli
