#include "daemon/systemd.h"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/systemd_sink.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/environment_variable.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

using testing::MatchesRegex;

// What $JOURNAL_STREAM would be if the descriptor were the journal.
std::string stream_of(int descriptor) {
  struct stat file {};
  EXPECT_EQ(fstat(descriptor, &file), 0);
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

bool goes_to_journal(const spdlog::logger& log) {
  return std::dynamic_pointer_cast<spdlog::sinks::systemd_sink_mt>(log.sinks().front()) != nullptr;
}

TEST(Journal, IsWhereDeviceAndInodeSaySo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_TRUE(is_journal(ends[0], stream_of(ends[0]).c_str()));
  EXPECT_FALSE(is_journal(ends[0], nullptr));
  EXPECT_FALSE(is_journal(ends[0], ""));
  EXPECT_FALSE(is_journal(ends[0], "1:2"));
  EXPECT_FALSE(is_journal(ends[0], (stream_of(ends[0]) + "0").c_str()));
  const std::string gone = stream_of(ends[1]);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(is_journal(ends[1], gone.c_str()));
}

TEST(Journal, IsUsedWhenStandardErrorGoesThere) {
  const EnvironmentVariable stream("JOURNAL_STREAM", stream_of(STDERR_FILENO).c_str());
  const auto log = open_journal("info");
  ASSERT_TRUE(log.ok());
  EXPECT_TRUE(goes_to_journal(**log));
}

TEST(Journal, ElseLinesGoToStandardErrorWithTimeAndLevel) {
  const EnvironmentVariable stream("JOURNAL_STREAM", nullptr);
  testing::internal::CaptureStderr();
  const auto log = open_journal("warning");
  ASSERT_TRUE(log.ok());
  (*log)->info("not shown");
  (*log)->warn("{} lines", 7);
  (*log)->error("bad");
  EXPECT_FALSE(goes_to_journal(**log));
  const std::string time = "[0-9-]+T[0-9:]+\\.[0-9]+[+-][0-9:]+ ";
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              MatchesRegex(time + "warning: 7 lines\n" + time + "error: bad\n"));
}

TEST(Journal, NothingInAMessagePassesForAnother) {
  const EnvironmentVariable stream("JOURNAL_STREAM", nullptr);
  testing::internal::CaptureStderr();
  const auto log = open_journal("info");
  ASSERT_TRUE(log.ok());
  (*log)->info("a\n2026-01-01T00:00:00.000+00:00 info: b\x1b[2J");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::EndsWith(" info: a\n  2026-01-01T00:00:00.000+00:00 "
                                "info: b\\x1b[2J\n"));
}

TEST(Journal, AnUnknownLevelIsAnError) {
  const auto log = open_journal("loud");
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code, ErrorCode::usage);
}

// The receiving end of $NOTIFY_SOCKET, as systemd has it: a datagram socket with a path, or "@" and an
// abstract name.
class ServiceManager {
 public:
  explicit ServiceManager(const std::string& name)
      : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    if (name.front() == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
      throw std::runtime_error("cannot bind " + name);
    }
    variable_.emplace("NOTIFY_SOCKET", name.c_str());
  }
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;
  ~ServiceManager() { close(socket_); }

  // The message that was sent; empty when there is none.
  [[nodiscard]] std::string next() const {
    std::array<char, 4096> buffer{};
    const ssize_t length = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    return length < 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(length));
  }

 private:
  int socket_;
  std::optional<EnvironmentVariable> variable_;
};

void expect_all_messages(const ServiceManager& manager) {
  notify_ready();
  EXPECT_EQ(manager.next(), "READY=1");
  notify_status("Reads logs");
  EXPECT_EQ(manager.next(), "STATUS=Reads logs");
  notify_reloading();
  EXPECT_THAT(manager.next(), MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[0-9]+"));
  notify_stopping();
  EXPECT_EQ(manager.next(), "STOPPING=1");
  notify_alive();
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
  EXPECT_EQ(manager.next(), "");
}

TEST(Notifying, SpeaksToASocketWithAPath) {
  const TemporaryFolder folder;
  expect_all_messages(ServiceManager(folder / "notify"));
}

TEST(Notifying, SpeaksToAnAbstractSocket) {
  expect_all_messages(ServiceManager("@qdedup-notifier-test-" + std::to_string(getpid())));
}

TEST(Notifying, AStatusCannotSmuggleInOtherMessages) {
  const TemporaryFolder folder;
  const ServiceManager manager(folder / "notify");
  notify_status("a\nSTOPPING=1\n");
  EXPECT_EQ(manager.next(), R"(STATUS=a\nSTOPPING=1\n)");
}

TEST(Notifying, IsSilentWithoutSystemd) {
  const EnvironmentVariable none("NOTIFY_SOCKET", nullptr);
  notify_ready();
  notify_alive();
}

TEST(Notifying, IsSilentWhereTheSocketIsGone) {
  const TemporaryFolder folder;
  const EnvironmentVariable gone("NOTIFY_SOCKET", (folder / "gone").c_str());
  notify_ready();
}

TEST(Watchdog, IsThatOfThisProcess) {
  const EnvironmentVariable period("WATCHDOG_USEC", "60000000");
  const EnvironmentVariable mine("WATCHDOG_PID", std::to_string(getpid()).c_str());
  EXPECT_EQ(watchdog_period(), std::chrono::seconds(60));
  const EnvironmentVariable other("WATCHDOG_PID", std::to_string(getppid()).c_str());
  EXPECT_EQ(watchdog_period(), std::nullopt);
}

TEST(Watchdog, IsOffUnlessItIsAsked) {
  const EnvironmentVariable none("WATCHDOG_USEC", nullptr);
  EXPECT_EQ(watchdog_period(), std::nullopt);
  const EnvironmentVariable bad("WATCHDOG_USEC", "often");
  EXPECT_EQ(watchdog_period(), std::nullopt);
}

}  // namespace
}  // namespace qdedup::daemon
