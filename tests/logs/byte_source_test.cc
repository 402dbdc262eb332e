#include "logs/byte_source.h"

#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "logs/unpack.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/drain.h"
#include "tests/support/memory_source.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string many_lines(std::size_t count) {
  std::mt19937_64 random(1);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    lines += "[[" + std::to_string(random() >> 1U) + ",0." + std::to_string(random() % 1000) + "]]\n";
  }
  return lines;
}

Drained drain_file(const std::string& path, std::size_t room = 1U << 16U) {
  auto file = open_file(path);
  EXPECT_TRUE(file.ok());
  return drain(*file->source, room);
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
  auto file = open_file(path);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->compression, GetParam().compression);
  EXPECT_EQ(file->size, std::filesystem::file_size(path));
  const Drained drained = drain(*file->source);
  EXPECT_FALSE(drained.error.has_value());
  EXPECT_FALSE(drained.cut_off);
  EXPECT_TRUE(drained.bytes == lines);
  EXPECT_EQ(file->source->bytes_read(), file->size);
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

TEST(OpenFile, KnowsGzipByItsFirstBytesNotByItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.write("plain.txt", packed("gzip", "a\n"));
  EXPECT_EQ(drain_file(path).bytes, "a\n");
  EXPECT_EQ(drain_file(folder.write("plain.gz", "a\n")).bytes, "a\n");
}

TEST(OpenFile, UnpacksAGzipMemberThatNamesItsFile) {
  const TemporaryFolder folder;
  folder.write("a.log", "a\n");
  ASSERT_EQ(std::system(("gzip " + (folder / "a.log")).c_str()), 0);
  EXPECT_EQ(drain_file(folder / "a.log.gz").bytes, "a\n");
}

TEST(OpenFile, PassesOverASkippableZstdFrame) {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const std::string skippable = "\x5A\x2A\x4D\x18\x03\0\0\0abc"s;
  const std::string frame = packed("zstd -q", "a\n");
  EXPECT_EQ(drain_file(folder.write("a", skippable + frame)).bytes, "a\n");
  EXPECT_EQ(drain_file(folder.write("b", frame + skippable + frame)).bytes, "a\na\n");
  EXPECT_EQ(drain_file(folder.write("c", skippable)).bytes, "");
}

TEST(OpenFile, TakesAnEmptyFileForPlainText) {
  const TemporaryFolder folder;
  const std::string path = folder.write("empty.gz", "");
  auto file = open_file(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->compression, Compression::none);
  EXPECT_EQ(file->size, 0U);
  EXPECT_EQ(drain(*file->source).bytes, "");
}

TEST(OpenFile, TakesABeginningOfAMagicForPlainText) {
  const TemporaryFolder folder;
  for (const std::string bytes : {"\x1F", "(", "(\xB5", "(\xB5/", "P*M", "a"}) {
    const Drained drained = drain_file(folder.write("short", bytes));
    EXPECT_EQ(drained.bytes, bytes);
    EXPECT_FALSE(drained.cut_off);
  }
}

TEST(OpenFile, TellsFilesApartByDeviceAndInode) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "a\n");
  struct stat found = {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  auto file = open_file(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->device, found.st_dev);
  EXPECT_EQ(file->inode, found.st_ino);
}

TEST(OpenFile, FollowsASymbolicLink) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.write("a", "a\n"), folder / "link");
  EXPECT_EQ(drain_file(folder / "link").bytes, "a\n");
}

void expect_refused(const std::string& path, const std::string& reason) {
  const auto file = open_file(path);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, ErrorCode::no_input);
  EXPECT_THAT(file.error().message, StartsWith(path + ": "));
  EXPECT_THAT(file.error().message, HasSubstr(reason));
}

TEST(OpenFile, RefusesWhatDoesNotExist) {
  const TemporaryFolder folder;
  expect_refused(folder / "missing", "No such file");
  expect_refused(folder.write("a", "") + "/b", "Not a directory");
  std::filesystem::create_symlink(folder / "missing", folder / "dangling");
  expect_refused(folder / "dangling", "No such file");
}

// Fault 20. A test that waited for a writer of the FIFO would never end.
TEST(OpenFile, RefusesWhatIsNoRegularFile) {
  const TemporaryFolder folder;
  expect_refused(folder.path(), "not a regular file");
  expect_refused("/dev/null", "not a regular file");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  expect_refused(folder / "fifo", "not a regular file");
  std::filesystem::create_symlink(folder / "fifo", folder / "link");
  expect_refused(folder / "link", "not a regular file");
}

TEST(OpenFile, RefusesASocket) {
  const TemporaryFolder folder;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = folder / "socket";
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  expect_refused(path, "not a regular file");
  ::close(socket);
}

// Fault 20. root may read everything, so that the first half cannot be seen then.
TEST(OpenFile, RefusesWhatMayNotBeReadUntilItMay) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "a\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (::geteuid() != 0) expect_refused(path, "Permission denied");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  EXPECT_EQ(drain_file(path).bytes, "a\n");
}

// Puts `bytes` on standard input for the time of a test.
class StandardInputOf {
 public:
  explicit StandardInputOf(const std::string& bytes) : saved_(::dup(STDIN_FILENO)) {
    const TemporaryFolder folder;
    const int file = ::open(folder.write("input", bytes).c_str(), O_RDONLY | O_CLOEXEC);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  StandardInputOf(const StandardInputOf&) = delete;
  StandardInputOf& operator=(const StandardInputOf&) = delete;
  ~StandardInputOf() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

TEST(OpenStandardInput, UnpacksWhatComes) {
  for (const std::string& bytes : {std::string("a\n"), packed("gzip", "a\n"), packed("zstd -q", "a\n")}) {
    const StandardInputOf input(bytes);
    auto source = open_standard_input();
    ASSERT_TRUE(source.ok());
    EXPECT_EQ(drain(**source).bytes, "a\n");
    EXPECT_EQ((*source)->bytes_read(), bytes.size());
  }
}

}  // namespace
}  // namespace qdedup::logs
