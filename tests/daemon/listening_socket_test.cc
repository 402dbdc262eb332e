#include "daemon/listening_socket.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/unix_address.h"
#include "tests/daemon/raw_client.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

using testing::HasSubstr;

mode_t mode_of(const std::string& path) {
  struct stat about {};
  EXPECT_EQ(::lstat(path.c_str(), &about), 0);
  return about.st_mode & 0777;
}

class UnixSocketFile : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "qdedupd.sock";
};

TEST_F(UnixSocketFile, HasItsModeWhateverTheUmask) {
  for (const mode_t mask : {0000U, 0022U, 0077U, 0177U}) {
    const mode_t before = ::umask(mask);
    const auto listening = UnixListeningSocket::open(path_);
    ::umask(before);
    ASSERT_TRUE(listening.ok());
    EXPECT_EQ(mode_of(path_), 0640U);
  }
}

TEST_F(UnixSocketFile, IsForTheGroupThatMayWriteToTheFolder) {
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0770));
  const auto listening = UnixListeningSocket::open(path_);
  EXPECT_EQ(mode_of(path_), 0660U);
}

TEST_F(UnixSocketFile, IsNeverOpenToOthers) {
  std::atomic<bool> done = false;
  std::atomic<mode_t> seen = 0;
  std::thread watcher([&] {
    struct stat about {};
    while (!done) {
      if (::lstat(path_.c_str(), &about) == 0) seen |= about.st_mode & 0777;
    }
  });
  const mode_t before = ::umask(0);
  for (int i = 0; i < 500; ++i) EXPECT_TRUE(UnixListeningSocket::open(path_).ok());
  ::umask(before);
  done = true;
  watcher.join();
  EXPECT_EQ(seen & ~0660U, 0U);
}

TEST_F(UnixSocketFile, GoesWithItsOwner) {
  auto listening = *UnixListeningSocket::open(path_);
  EXPECT_TRUE(std::filesystem::exists(path_));
  listening.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnixSocketFile, IsLeftAloneWhenAnotherHasTakenItsPlace) {
  auto listening = *UnixListeningSocket::open(path_);
  std::filesystem::rename(path_, folder_ / "old");
  folder_.write("qdedupd.sock", "something else");
  listening.reset();
  EXPECT_EQ(folder_.read("qdedupd.sock"), "something else");
}

TEST_F(UnixSocketFile, OfADeadProcessIsReplaced) {
  {
    const FileDescriptor dead(::socket(AF_UNIX, SOCK_STREAM, 0));
    const auto address = UnixAddress::of(path_);
    ASSERT_EQ(::bind(dead.number(), address->address(), address->size()), 0);
    ASSERT_EQ(::listen(dead.number(), 1), 0);
  }
  ASSERT_TRUE(std::filesystem::exists(path_));
  EXPECT_TRUE(UnixListeningSocket::open(path_).ok());
}

TEST_F(UnixSocketFile, OfALivingProcessIsNot) {
  auto first = UnixListeningSocket::open(path_);
  ASSERT_TRUE(first.ok());
  const auto second = UnixListeningSocket::open(path_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::busy);
  EXPECT_THAT(second.error().message, HasSubstr("qdedupd.sock"));
  RawClient::to_unix(path_);
}

TEST_F(UnixSocketFile, NeverReplacesAnythingElse) {
  folder_.write("qdedupd.sock", "precious");
  EXPECT_EQ(UnixListeningSocket::open(path_).error().code, ErrorCode::cannot_create);
  EXPECT_EQ(folder_.read("qdedupd.sock"), "precious");
  std::filesystem::remove(path_);
  std::filesystem::create_symlink(folder_ / "elsewhere", path_);
  EXPECT_EQ(UnixListeningSocket::open(path_).error().code, ErrorCode::cannot_create);
  EXPECT_EQ(UnixListeningSocket::open(folder_ / "missing/qdedupd.sock").error().code,
            ErrorCode::cannot_create);
}

TEST_F(UnixSocketFile, MayHaveALongPath) {
  const std::string folder = folder_ / std::string(200, 'd');
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/qdedupd.sock";
  const auto listening = UnixListeningSocket::open(path);
  ASSERT_TRUE(listening.ok()) << listening.error().message;
  EXPECT_EQ(mode_of(path), 0640U);
  const FileDescriptor client(::socket(AF_UNIX, SOCK_STREAM, 0));
  const auto address = UnixAddress::of(path);
  EXPECT_EQ(::connect(client.number(), address->address(), address->size()), 0);
  EXPECT_THAT(UnixListeningSocket::open(folder_ / std::string(150, 'x')).error().message,
              HasSubstr("too long"));
}

TEST(LoopbackAddress, IsOfEitherKind) {
  EXPECT_TRUE(listen_on_loopback({"127.0.0.1", 0}).ok());
  EXPECT_TRUE(listen_on_loopback({"127.1.2.3", 0}).ok());
  const auto ipv6 = listen_on_loopback({"::1", 0});  // may be off
  EXPECT_TRUE(ipv6.ok() || ipv6.error().message.starts_with("[::1]:0: ")) << ipv6.error().message;
}

}  // namespace
}  // namespace qdedup::daemon
