#include "daemon/systemd.h"

#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/environment_variable.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

using testing::MatchesRegex;

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
