#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "logs/byte_source.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/drain.h"
#include "tests/support/log_reading.h"
#include "tests/support/memory_source.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

std::string many_lines(std::size_t count) {
  std::mt19937_64 random(1);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    lines += "[[" + std::to_string(random() >> 1U) + ",0." + std::to_string(random() % 1000) + "]]\n";
  }
  return lines;
}

Drained drain_file(const std::string& path, std::size_t room = 1U << 16U) {
  auto unpacked = unpack(open_file(path));
  EXPECT_TRUE(unpacked.ok());
  return drain(*unpacked->source, room);
}

struct Packing {
  std::string name;
  std::string command;
  Compression compression;
};

class Packed : public ::testing::TestWithParam<Packing> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(Packed, UnpacksWhatTheCommandMade) {
  const std::string lines = many_lines(20000);
  const std::string path = folder_.write("a.log", packed(GetParam().command, lines));
  auto file = unpack(open_file(path));
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->compression, GetParam().compression);
  const Drained drained = drain(*file->source);
  EXPECT_FALSE(drained.error.has_value());
  EXPECT_FALSE(drained.cut_off);
  EXPECT_TRUE(drained.bytes == lines);
  EXPECT_EQ(file->source->bytes_read(), std::filesystem::file_size(path));
}

TEST_P(Packed, UnpacksIntoASingleByteAtATime) {
  const std::string lines = many_lines(100);
  EXPECT_EQ(drain_file(folder_.write("a.log", packed(GetParam().command, lines)), 1).bytes, lines);
}

TEST_P(Packed, UnpacksSeveralMembersOneAfterTheOther) {
  const std::string first = many_lines(300);
  const std::string second = many_lines(5000);
  const std::string members =
      packed(GetParam().command, first) + packed(GetParam().command, "") + packed(GetParam().command, second);
  const Drained drained = drain_file(folder_.write("a.log", members));
  EXPECT_FALSE(drained.error.has_value());
  EXPECT_FALSE(drained.cut_off);
  EXPECT_TRUE(drained.bytes == first + second);
}

TEST_P(Packed, UnpacksNothingFromTheMemberOfAnEmptyFile) {
  const Drained drained = drain_file(folder_.write("a.log", packed(GetParam().command, "")));
  EXPECT_FALSE(drained.error.has_value());
  EXPECT_FALSE(drained.cut_off);
  EXPECT_EQ(drained.bytes, "");
}

// Fault 16: unpacks to a thousand times its size.
TEST_P(Packed, GivesABombOutInSmallPortions) {
  const std::string zeros(std::size_t{64} << 20U, '0');
  const std::string bomb = packed(GetParam().command, zeros);
  auto unpacked = unpack(std::make_unique<MemorySource>(bomb), "bomb");
  ASSERT_TRUE(unpacked.ok());
  std::string portion(4096, ' ');
  std::size_t total = 0;
  while (true) {
    const auto count = unpacked->source->read(portion);
    ASSERT_TRUE(count.ok());
    if (*count == 0) break;
    total += *count;
  }
  EXPECT_EQ(total, zeros.size());
}

INSTANTIATE_TEST_SUITE_P(ByCommandLineTools, Packed,
                         ::testing::Values(Packing{"gzip", "gzip", Compression::gzip},
                                           Packing{"gzip_1", "gzip -1", Compression::gzip},
                                           Packing{"gzip_9", "gzip -9", Compression::gzip},
                                           Packing{"zstd", "zstd -q", Compression::zstd},
                                           Packing{"zstd_1_no_check", "zstd -q -1 --no-check",
                                                   Compression::zstd},
                                           Packing{"zstd_19", "zstd -q -19", Compression::zstd},
                                           Packing{"zstd_long", "zstd -q --long=27", Compression::zstd}),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(Unpack, KnowsGzipByItsFirstBytesNotByItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.write("plain.txt", packed("gzip", "a\n"));
  EXPECT_EQ(drain_file(path).bytes, "a\n");
  EXPECT_EQ(drain_file(folder.write("plain.gz", "a\n")).bytes, "a\n");
}

TEST(Unpack, UnpacksAGzipMemberThatNamesItsFile) {
  const TemporaryFolder folder;
  folder.write("a.log", "a\n");
  ASSERT_EQ(std::system(("gzip " + (folder / "a.log")).c_str()), 0);
  EXPECT_EQ(drain_file(folder / "a.log.gz").bytes, "a\n");
}

TEST(Unpack, PassesOverASkippableZstdFrame) {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const std::string skippable = "\x5A\x2A\x4D\x18\x03\0\0\0abc"s;
  const std::string frame = packed("zstd -q", "a\n");
  EXPECT_EQ(drain_file(folder.write("a", skippable + frame)).bytes, "a\n");
  EXPECT_EQ(drain_file(folder.write("b", frame + skippable + frame)).bytes, "a\na\n");
  EXPECT_EQ(drain_file(folder.write("c", skippable)).bytes, "");
  const std::string empty = "\x50\x2A\x4D\x18\0\0\0\0"s;
  EXPECT_EQ(drain_file(folder.write("d", empty)).bytes, "");
  for (std::size_t size = 4; size < skippable.size(); ++size) {
    const Drained drained = drain_file(folder.write("e", skippable.substr(0, size)));
    EXPECT_EQ(drained.bytes, "") << size;
    EXPECT_TRUE(drained.cut_off) << size;
  }
}

TEST(Unpack, TellsWhenTheFirstBytesAreTooFew) {
  for (const std::string undecided : {"", "\x1F", "(", "(\xB5", "(\xB5/", "P", "_*", "P*M"}) {
    EXPECT_TRUE(is_undecided(undecided)) << undecided;
  }
  for (const std::string decided : {"\x1F\x8B", "\x1F\n", "(\n", "[]\n", "P*\n", "(\xB5/\xFD", "plain"}) {
    EXPECT_FALSE(is_undecided(decided)) << decided;
  }
}

TEST(OtherPacking, IsKnownByItsFirstBytes) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> packers[] = {{"\xFD\x37zXZ\0\0\4"s, "xz"},
                                                         {"BZh11AY&SY"s, "bzip2"},
                                                         {"BZh9\x17\x72\x45\x38\x50\x90"s, "bzip2"},
                                                         {"\x04\x22M\x18\x64"s, "lz4"},
                                                         {"LZIP\1\x0C"s, "lzip"},
                                                         {"PK\3\4\x0A\0"s, "zip"},
                                                         {"7z\xBC\xAF\x27\x1C\0\4"s, "7z"},
                                                         {"\x1F\x9D\x90[["s, "compress"},
                                                         {"\x5D\0\0\x80\0\xFF"s, "lzma"}};
  for (const auto& [bytes, packer] : packers) {
    EXPECT_EQ(other_packing(bytes).value_or(""),
              "is packed with " + packer + ": unpack it, or pack it with gzip or zstd");
  }
  for (const std::string bytes :
       {"", "[[1,0.9]]\n", "BZh9 query", "BZ", "LZIP is a query", "PK", "\x1F\x8B\x08", "7z [[1,0.9]]"})
    EXPECT_EQ(other_packing(bytes), std::nullopt) << bytes;
}

TEST(Unpack, TakesAnEmptyFileForPlainText) {
  const TemporaryFolder folder;
  const std::string path = folder.write("empty.gz", "");
  auto file = unpack(open_file(path));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->compression, Compression::none);
  EXPECT_EQ(drain(*file->source).bytes, "");
}

TEST(Unpack, TakesABeginningOfAMagicForPlainText) {
  const TemporaryFolder folder;
  for (const std::string bytes : {"\x1F", "(", "(\xB5", "(\xB5/", "P*M", "a"}) {
    const Drained drained = drain_file(folder.write("short", bytes));
    EXPECT_EQ(drained.bytes, bytes);
    EXPECT_FALSE(drained.cut_off);
  }
}

TEST(Zstd, MemoryOfAllSourcesTogetherIsBounded) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.log", packed("zstd -q --long=27", many_lines(1000)));
  constexpr std::uint64_t room_for_one = 200'000'000;  // and no window beyond 128 MiB
  const auto open_source = [&] {
    return unpack_zstd(std::make_unique<FileSource>(open_file(path), 0), path, room_for_one);
  };
  auto first = open_source();
  std::array<char, 100> buffer{};
  EXPECT_TRUE(first->read(buffer).ok());
  const auto refused = open_source()->read(buffer);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::busy);
  EXPECT_TRUE(first->read(buffer).ok());
  first.reset();
  EXPECT_EQ(drain(*open_source()).bytes, many_lines(1000));
}

TEST(Zstd, WhatUnpacksWithoutEndIsRefused) {
  const TemporaryFolder folder;
  const std::string frame = packed("sh -c 'head -c 1G /dev/zero | zstd -q'", "");
  std::string frames;
  for (int i = 0; i < 17; ++i) frames += frame;
  const std::string path = folder.write("a.log", frames);
  const auto source = unpack_zstd(std::make_unique<FileSource>(open_file(path), 0), path);
  std::vector<char> buffer(std::size_t{1} << 20U);
  Result<std::size_t> read = 0;
  std::uint64_t bytes = 0;
  do {
    read = source->read(buffer);
    if (read.ok()) bytes += *read;
  } while (read.ok() && *read > 0);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::data);
  EXPECT_GE(bytes, std::uint64_t{16} << 30U);
}

// A hole in a file costs whoever makes it nothing: padding, skippable frames, empty blocks.
TEST(Unpack, WhatIsNextToNothingIsNotReadToItsEnd) {
  using namespace std::string_literals;
  constexpr std::uint64_t hole = std::uint64_t{1} << 42U;
  const TemporaryFolder folder;
  const std::string skippable = "\x5A\x2A\x4D\x18\xFF\xFF\xFF\xFF"s;
  for (const std::string& begin : {packed("gzip", "a\n"), packed("zstd -q", "a\n") + skippable,
                                   packed("zstd -q", "a\n") + "\x28\xB5\x2F\xFD"s}) {
    const std::string path = folder.write("a.log", begin);
    std::filesystem::resize_file(path, hole);
    const Drained drained = drain_file(path);
    EXPECT_EQ(drained.bytes, "a\n");
    ASSERT_TRUE(drained.error.has_value());
    EXPECT_EQ(drained.error->code, ErrorCode::data);
    EXPECT_THAT(drained.error->message, testing::EndsWith("most of it unpacks to nothing"));
  }
}

TEST(LargeUnpack, LinesThatWerePackedOneByOneAreRead) {
  for (const char* const command : {"gzip", "zstd -q"}) {
    const TemporaryFolder folder;
    const std::string member = packed(command, "[]\n");
    std::string members;
    while (members.size() < std::size_t{20} << 20U) members += member;
    const Drained drained = drain_file(folder.write("a.log", members));
    EXPECT_FALSE(drained.error.has_value()) << command;
    EXPECT_EQ(drained.bytes.size(), 3 * members.size() / member.size());
  }
}

}  // namespace
}  // namespace qdedup::logs
