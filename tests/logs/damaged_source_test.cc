// Compressed data that is cut, damaged or still growing (fault 16).

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <random>
#include <string>

#include <gmock/gmock.h>

#include "logs/byte_source.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/drain.h"
#include "tests/support/memory_source.h"

namespace qdedup::logs {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t named_bytes = 4;  // from these on it is a packed file

Drained drain_packed(const std::string& bytes, std::size_t portion, std::size_t room) {
  auto unpacked = unpack(std::make_unique<MemorySource>(bytes, portion), "a.log");
  EXPECT_TRUE(unpacked.ok());
  return drain(*unpacked->source, room);
}

Drained drain_packed(const std::string& bytes) { return drain_packed(bytes, 1U << 20U, 1U << 16U); }

void expect_damage(const Drained& drained, const std::string& reason) {
  ASSERT_TRUE(drained.error.has_value());
  EXPECT_EQ(drained.error->code, ErrorCode::data);
  EXPECT_THAT(drained.error->message, StartsWith("a.log: damaged "));
  EXPECT_THAT(drained.error->message, HasSubstr(reason));
  EXPECT_FALSE(drained.cut_off);
}

std::string some_text(std::size_t size) {
  std::mt19937_64 random(7);
  std::string text;
  while (text.size() < size) text += "line " + std::to_string(random() % 100000) + " of a log\n";
  return text;
}

class Damaged : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::string packed_text(const std::string& text) const { return packed(GetParam(), text); }
};

TEST_P(Damaged, CutAnywhereIsCutOffNotDamaged) {
  const std::string text = some_text(600);
  const std::string whole = packed_text(text);
  for (std::size_t size = named_bytes; size < whole.size(); ++size) {
    for (const std::size_t portion : {std::size_t{1}, std::size_t{1} << 20U}) {
      const Drained drained = drain_packed(whole.substr(0, size), portion, 100);
      EXPECT_FALSE(drained.error.has_value()) << size << ": " << drained.error->message;
      EXPECT_TRUE(drained.cut_off) << size;
      EXPECT_TRUE(text.starts_with(drained.bytes)) << size;
    }
  }
}

TEST_P(Damaged, CutInALaterMemberGivesAllOfTheFirst) {
  const std::string text = some_text(600);
  const std::string member = packed_text(text);
  for (std::size_t size = 1; size < member.size(); ++size) {
    const Drained drained = drain_packed(member + member.substr(0, size));
    EXPECT_FALSE(drained.error.has_value()) << size;
    EXPECT_TRUE(drained.cut_off) << size;
    EXPECT_TRUE(drained.bytes.starts_with(text)) << size;
  }
}

TEST_P(Damaged, GoesOnWhereItWasCutOnceMoreHasCome) {
  const std::string text = some_text(3000);
  const std::string whole = packed_text(text) + packed_text(text);
  const auto growing = std::make_shared<std::string>(whole.substr(0, named_bytes));
  auto unpacked = unpack(std::make_unique<MemorySource>(growing), "a.log");
  ASSERT_TRUE(unpacked.ok());
  std::string bytes;
  while (growing->size() < whole.size()) {
    for (int poll = 0; poll < 3; ++poll) bytes += drain(*unpacked->source).bytes;
    *growing += whole[growing->size()];
  }
  const Drained last = drain(*unpacked->source);
  EXPECT_FALSE(last.error.has_value());
  EXPECT_FALSE(last.cut_off);
  EXPECT_TRUE(bytes + last.bytes == text + text);
}

TEST_P(Damaged, EveryFlippedByteIsNoticedUnlessTheContentIsTheSame) {
  const std::string text = some_text(600);
  const std::string whole = packed_text(text);
  for (std::size_t place = named_bytes; place < whole.size(); ++place) {
    for (const char mask : {'\x01', '\x80', '\xFF'}) {
      std::string bytes = whole;
      bytes[place] = static_cast<char>(bytes[place] ^ mask);
      const Drained drained = drain_packed(bytes);
      const bool noticed = drained.error.has_value() || drained.cut_off;
      EXPECT_TRUE(noticed || drained.bytes == text) << place;
    }
  }
}

TEST_P(Damaged, DeliversWhatStandsBeforeTheDamageWhateverTheBuffers) {
  const std::string text = some_text(2 << 20U);
  std::string bytes = packed_text(text);
  const std::size_t place = bytes.size() / 10 * 9;
  bytes.replace(place, 50, std::string(50, '\xFF'));
  for (const std::size_t room : {std::size_t{1000}, std::size_t{1} << 16U, std::size_t{1} << 22U}) {
    const Drained drained = drain_packed(bytes, 1U << 20U, room);
    expect_damage(drained, "");
    ASSERT_GT(drained.bytes.size(), text.size() / 10 * 7);
    const std::size_t sound = text.size() / 10 * 8;
    EXPECT_TRUE(drained.bytes.substr(0, sound) == text.substr(0, std::min(sound, drained.bytes.size())));
  }
}

TEST_P(Damaged, GarbageBehindTheLastMemberIsDamage) {
  for (const std::string garbage : {"x", "xyz", "\n", "garbage\n"}) {
    const Drained drained = drain_packed(packed_text("a\n") + garbage);
    expect_damage(drained, "");
    EXPECT_EQ(drained.bytes, "a\n");
  }
}

TEST_P(Damaged, KeepsItsErrorHoweverOftenItIsAsked) {
  auto unpacked = unpack(std::make_unique<MemorySource>(packed_text("a\n") + "garbage"), "a.log");
  ASSERT_TRUE(unpacked.ok());
  const std::string first = drain(*unpacked->source).error->message;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(drain(*unpacked->source).error->message, first);
}

TEST_P(Damaged, RandomDamageNeverGivesOtherContentAsSound) {
  std::mt19937_64 random(11);
  const std::string text = some_text(20000);
  const std::string whole = packed_text(text) + packed_text(text.substr(0, 100));
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    for (std::size_t hits = 1 + random() % 3; hits > 0; --hits) {
      bytes[named_bytes + random() % (bytes.size() - named_bytes)] = static_cast<char>(random());
    }
    const Drained drained = drain_packed(bytes, 1 + random() % 5000, 1 + random() % 50000);
    const bool noticed = drained.error.has_value() || drained.cut_off;
    EXPECT_TRUE(noticed || drained.bytes == text + text.substr(0, 100)) << round;
  }
}

INSTANTIATE_TEST_SUITE_P(ByCommandLineTools, Damaged,
                         ::testing::Values("gzip", "gzip -1", "zstd -q --check", "zstd -q -19 --check"),
                         [](const auto& chosen) {
                           std::string name = chosen.param;
                           std::replace_if(
                               name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; },
                               '_');
                           return name;
                         });

TEST(DamagedGzip, WrongChecksumIsDamage) {
  std::string bytes = packed("gzip", "a\n");
  bytes[bytes.size() - 8] = static_cast<char>(bytes[bytes.size() - 8] ^ 1);
  const Drained drained = drain_packed(bytes);
  expect_damage(drained, "checksum does not match");
  EXPECT_EQ(drained.bytes, "a\n");
}

TEST(DamagedGzip, WrongLengthIsDamage) {
  std::string bytes = packed("gzip", "a\n");
  bytes[bytes.size() - 4] = '\x07';
  expect_damage(drain_packed(bytes), "checksum does not match");
}

TEST(DamagedGzip, UnknownMethodOrFlagIsDamage) {
  std::string bytes = packed("gzip", "a\n");
  bytes[2] = '\x07';
  expect_damage(drain_packed(bytes), "unknown compression method");
  bytes = packed("gzip", "a\n");
  bytes[3] = '\x20';
  expect_damage(drain_packed(bytes), "unknown header flags");
}

TEST(DamagedGzip, NulBytesBehindTheLastMemberArePadding) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{512}, std::size_t{300000}}) {
    const Drained drained = drain_packed(packed("gzip", "a\n") + std::string(size, '\0'));
    EXPECT_FALSE(drained.error.has_value());
    EXPECT_FALSE(drained.cut_off);
    EXPECT_EQ(drained.bytes, "a\n");
  }
}

TEST(DamagedGzip, SomethingBehindThePaddingIsDamage) {
  const std::string member = packed("gzip", "a\n");
  expect_damage(drain_packed(member + "\0\0"s + member), "something else follows the padding");
}

TEST(DamagedGzip, HalfAMagicBehindTheLastMemberIsCutOff) {
  const std::string member = packed("gzip", "a\n");
  EXPECT_TRUE(drain_packed(member + "\x1F").cut_off);
  expect_damage(drain_packed(member + "\x1FX and more than a header"), "bad member header");
}

// RFC 1952, 2.3: extra field, name, comment and header checksum, in whatever portions they come.
TEST(DamagedGzip, ReadsAHeaderWithEveryField) {
  const std::string plain = packed("gzip -n", "a\n");
  const std::string fields = "\x05\0extra"s + "name\0"s + "comment\0"s;
  std::string header = plain.substr(0, 10);
  header[3] = '\x1C';
  for (const std::size_t portion : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const Drained drained = drain_packed(header + fields + plain.substr(10), portion, 100);
    EXPECT_FALSE(drained.error.has_value());
    EXPECT_EQ(drained.bytes, "a\n");
  }
}

// A frame by hand (RFC 8878, 3.1.1): no checksum, a window of 1 MiB, raw blocks.
std::string raw_block(const std::string& text, bool last) {
  const std::size_t header = text.size() << 3U | (last ? 1U : 0U);
  return std::string{static_cast<char>(header), static_cast<char>(header >> 8U),
                     static_cast<char>(header >> 16U)} +
         text;
}

TEST(DamagedZstd, DeliversTheBlockBeforeABadBlockHeader) {
  const std::string bad_header = "\x06\0\0"s;  // block type 3 is reserved
  const std::string frame = "\x28\xB5\x2F\xFD\0\x50"s + raw_block("hello\n", false) + bad_header;
  for (const std::size_t room : {1U, 3U, 6U, 100U}) {
    const Drained drained = drain_packed(frame, 1000, room);
    expect_damage(drained, "");
    EXPECT_EQ(drained.bytes, "hello\n");
  }
}

TEST(DamagedZstd, WrongChecksumIsDamage) {
  std::string bytes = packed("zstd -q --check", "a\n");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  expect_damage(drain_packed(bytes), "checksum");
}

TEST(DamagedZstd, AWindowOverTheBoundIsRefused) {
  const std::string frame = "\x28\xB5\x2F\xFD\0\xB0"s + raw_block("", true);  // 2^32 bytes
  const Drained drained = drain_packed(frame);
  ASSERT_TRUE(drained.error.has_value());
  EXPECT_THAT(drained.error->message, StartsWith("a.log: takes more memory to unpack"));
}

TEST(DamagedZstd, ALargeWindowIsNone) {
  const std::string frame = "\x28\xB5\x2F\xFD\0\x90"s + raw_block("hello\n", true);  // 2^28 bytes
  EXPECT_EQ(drain_packed(frame).bytes, "hello\n");
}

}  // namespace
}  // namespace qdedup::logs
