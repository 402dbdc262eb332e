#include "logs/files.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "logs/byte_source.h"
#include "tests/support/drain.h"
#include "tests/support/file_lease.h"
#include "tests/support/log_reading.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::logs {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string content(const Files& files, const std::string& path) {
  const auto file = files.open(path);
  EXPECT_TRUE(file.ok());
  FileSource source(*file, 0);
  return drain(source).bytes;
}

TEST(Files, TellsFilesApartByDeviceAndInode) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "a\n");
  struct stat found = {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  const auto file = open_file(path);
  EXPECT_EQ(file->identity().device, found.st_dev);
  EXPECT_EQ(file->identity().inode, found.st_ino);
  EXPECT_EQ(signature_of(path), file->signature_when_opened());
}

TEST(Files, FollowsASymbolicLink) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.write("a", "a\n"), folder / "link");
  EXPECT_EQ(content(Files(), folder / "link"), "a\n");
}

void expect_refused(const std::string& path, const std::string& reason) {
  const auto file = Files().open(path);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, ErrorCode::no_input);
  EXPECT_THAT(file.error().message, StartsWith(path + ": "));
  EXPECT_THAT(file.error().message, HasSubstr(reason));
}

TEST(Files, RefusesForbiddenFilesByWhateverName) {
  const TemporaryFolder folder;
  const std::string path = folder.write("qdedup.db", "a\n");
  std::filesystem::create_symlink(path, folder / "link.log");
  std::filesystem::create_hard_link(path, folder / "other.log");
  const Files files({folder / "missing", path});
  for (const std::string name : {"qdedup.db", "link.log", "other.log"}) {
    const auto file = files.open(folder / name);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code, ErrorCode::no_input);
    EXPECT_EQ(file.error().message,
              (folder / name) + ": is " + path + ", a file of the state; it is not read");
  }
  EXPECT_EQ(content(files, folder.write("a.log", "b\n")), "b\n");
}

TEST(Files, RefusesWhatDoesNotExist) {
  const TemporaryFolder folder;
  expect_refused(folder / "missing", "No such file");
  expect_refused(folder.write("a", "") + "/b", "Not a directory");
  std::filesystem::create_symlink(folder / "missing", folder / "dangling");
  expect_refused(folder / "dangling", "No such file");
}

// Fault 20. A test that waited for a writer of the FIFO would never end.
TEST(Files, RefusesWhatIsNoRegularFile) {
  const TemporaryFolder folder;
  expect_refused(folder.path(), "not a regular file");
  expect_refused("/dev/null", "not a regular file");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  expect_refused(folder / "fifo", "not a regular file");
  std::filesystem::create_symlink(folder / "fifo", folder / "link");
  expect_refused(folder / "link", "not a regular file");
}

TEST(Files, RefusesASocket) {
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
TEST(Files, RefusesWhatMayNotBeReadUntilItMay) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "a\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (::geteuid() != 0) expect_refused(path, "Permission denied");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  EXPECT_EQ(content(Files(), path), "a\n");
}

// Fault 20.
TEST(Files, DoNotWaitForALease) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "a\n");
  {
    const FileLease lease(path);
    const auto file = Files().open(path);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code, ErrorCode::io);
    EXPECT_THAT(file.error().message, StartsWith(path + ": another program has a lease"));
  }
  EXPECT_EQ(content(Files(), path), "a\n");
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

TEST(Files, ReadsStandardInput) {
  const StandardInputOf input("a\n");
  const auto source = Files().standard_input();
  EXPECT_EQ(drain(*source).bytes, "a\n");
  EXPECT_EQ(source->bytes_read(), 2U);
}

}  // namespace
}  // namespace qdedup::logs
