#include "iteration/text_spill_file.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

struct Text {
  std::string text;
  std::optional<std::string> answer;

  friend bool operator==(const Text&, const Text&) = default;
};
using Part = std::map<std::uint32_t, Text>;

Part random_part(std::mt19937_64& random) {
  Part part;
  const auto texts = static_cast<std::uint32_t>(random() % 400);
  for (std::uint32_t place = 0; place < texts; ++place) {
    const std::size_t bytes = random() % 50 == 0 ? random() % 200'000 : random() % 300;
    part[place] = {std::string(bytes, static_cast<char>('a' + place % 26)), std::nullopt};
    if (random() % 3 == 0) part[place].answer = std::string(random() % 3, 'z');
  }
  return part;
}

// Those with an even place, or an odd one.
void put(TextSpillFile& parts, const std::vector<Part>& texts, std::uint32_t odd) {
  TextSpillFile::Writer writer(parts);
  for (std::uint32_t place = odd; place < 400; place += 2) {
    for (std::size_t part = 0; part < texts.size(); ++part) {
      const auto text = texts[part].find(place);
      if (text != texts[part].end()) must(writer.put(part, {place, text->second.text, text->second.answer}));
    }
  }
  must(writer.finish());
}

Part fetched(TextSpillFile& parts, std::size_t number) {
  Part part;
  for (std::string_view block : must(parts.fetch(number))) {
    while (!block.empty()) {
      const PlacedText text = TextSpillFile::take_text(block);
      const auto answer = text.answer ? std::optional(std::string(*text.answer)) : std::nullopt;
      EXPECT_TRUE(part.emplace(text.place, Text{std::string(text.text), answer}).second);
    }
  }
  return part;
}

TEST(TextSpillFile, HoldWhatTwoThreadsPut) {
  std::mt19937_64 random(7);
  const TemporaryFolder folder;
  for (const std::size_t count : {1U, 2U, 3U, 40U}) {
    std::vector<Part> texts;
    for (std::size_t part = 0; part < count; ++part) texts.push_back(random_part(random));
    TextSpillFile parts = must(TextSpillFile::create(folder.path(), count));
    {
      std::jthread other([&] { put(parts, texts, 1); });
      put(parts, texts, 0);
    }
    for (std::size_t part = count; part-- > 0;) {
      EXPECT_TRUE(fetched(parts, part) == texts[part]) << part << " of " << count;
      EXPECT_TRUE(fetched(parts, part).empty());
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(TextSpillFile, RemoveTheFileThatAKilledProcessLeft) {
  const TemporaryFolder folder;
  folder.write("texts.tmp", "");
  must(TextSpillFile::create(folder.path(), 2));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TextSpillFile, OfNothing) {
  TextSpillFile parts = must(TextSpillFile::create("/", 0));
  must(TextSpillFile::Writer(parts).finish());
}

TEST(TextSpillFile, NeedAFolder) {
  EXPECT_EQ(TextSpillFile::create("/no/such/folder", 2).error().message,
            "/no/such/folder: temporary file of texts: No such file or directory");
}

// A limit to the size of files stands for a disk that is full.
TEST(TextSpillFile, TellThatThereIsNoRoom) {
  const TemporaryFolder folder;
  TextSpillFile parts = must(TextSpillFile::create(folder.path(), 2));
  TextSpillFile::Writer writer(parts);
  must(writer.put(0, {0, std::string(100'000, 'x'), std::nullopt}));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limited{50'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  const Status finished = writer.finish();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(finished.error().code, ErrorCode::io);
  EXPECT_EQ(finished.error().message, folder.path().string() + ": temporary file of texts: File too large");
}

}  // namespace
}  // namespace qdedup::iteration
