#include "cli/daemon_client.h"

#include <array>
#include <filesystem>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unix_address.h"
#include "tests/daemon/running_server.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::cli {
namespace {

using daemon::Request;
using daemon::Responder;
using daemon::Router;
using daemon::RunningServer;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr uid_t nobody = 65534;

DaemonClient client_of(const RunningServer& server) {
  auto connected = DaemonClient::connect(server.socket_path());
  EXPECT_TRUE(connected.ok() && connected->has_value());
  return std::move(**connected);
}

TEST(DaemonClient, SeesThatThereIsNoDaemon) {
  const TemporaryFolder folder;
  EXPECT_FALSE(DaemonClient::connect(folder / "qdedupd.sock")->has_value());
  EXPECT_FALSE(DaemonClient::connect(folder / "missing/qdedupd.sock")->has_value());
  EXPECT_FALSE(DaemonClient::connect(folder / std::string(200, 'd') + "/qdedupd.sock")->has_value());
  EXPECT_FALSE(DaemonClient::connect(folder.write("stale", ""))->has_value());
}

TEST(DaemonClient, FollowsNoLink) {
  const RunningServer server{Router()};
  const TemporaryFolder folder;
  std::filesystem::create_symlink(server.socket_path(), folder / "qdedupd.sock");
  const auto connected = DaemonClient::connect(folder / "qdedupd.sock");
  ASSERT_FALSE(connected.ok());
  EXPECT_THAT(connected.error().message, HasSubstr("is a symbolic link"));
}

TEST(DaemonClient, NamesASocketThatItMayNotUse) {
  const RunningServer server{Router()};
  ASSERT_EQ(::chmod(server.socket_path().c_str(), 0), 0);
  const bool root = ::geteuid() == 0;
  ASSERT_EQ(::seteuid(root ? nobody : ::geteuid()), 0);  // root may use any socket
  const auto connected = DaemonClient::connect(server.socket_path());
  ASSERT_EQ(::seteuid(root ? 0 : ::geteuid()), 0);
  ASSERT_FALSE(connected.ok());
  EXPECT_THAT(connected.error().message, AllOf(StartsWith(server.socket_path()), HasSubstr("Permission")));
}

TEST(DaemonClient, Gets) {
  const RunningServer server(daemon::sample_router());
  DaemonClient client = client_of(server);
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.get("/hello");
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->status, 200U);
    EXPECT_EQ(answer->body, "hello");
  }
  EXPECT_EQ(client.get("/nowhere")->status, 404U);
}

TEST(DaemonClient, GivesUpWaitingForAnAnswer) {
  std::promise<Responder> taken;
  Router router;
  router.get("/", [&taken](const Request& /*request*/, Responder responder) {
    taken.set_value(std::move(responder));
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  const auto answer = client.get("/", std::chrono::milliseconds(10));
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message, AllOf(StartsWith(server.socket_path()), HasSubstr("does not answer")));
}

TEST(DaemonClient, TakesLinesUntilOneIsTheOneThatIsWaitedFor) {
  std::promise<Responder> taken;
  Router router;
  router.post("/", [&taken](const Request& request, const Responder& responder) {
    EXPECT_EQ(request.body, "{\"a\":1}");
    EXPECT_THAT(daemon::values_of(request.headers, "content-type"), ElementsAre("application/json"));
    responder->begin_stream();
    responder->write("first");
    taken.set_value(responder);
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  std::vector<std::string> lines;
  std::promise<void> first;
  std::promise<void> seen;
  std::thread writer([&] {
    const Responder stream = taken.get_future().get();
    first.get_future().wait();  // the client has the first line before there is another
    stream->write(std::string(100'000, 'x'));
    stream->write("");
    stream->write("granted");
    stream->write("more, which nobody misses");
    seen.get_future().wait();
  });
  const Status begun = client.begin("/", "{\"a\":1}", [&](std::string_view line) {
    lines.emplace_back(line);
    if (lines.size() == 1) first.set_value();
    return line != "granted";
  });
  EXPECT_TRUE(begun.ok()) << begun.error().message;
  EXPECT_THAT(lines, ElementsAre("first", std::string(100'000, 'x'), "", "granted"));
  EXPECT_TRUE(client.goes_on());
  seen.set_value();
  writer.join();  // and with it the last copy of the stream goes
  while (client.goes_on()) {
  }
}

// As a daemon sends it that is none of ours.
void answer_once(int listening, const std::string& body) {
  const FileDescriptor client(::accept(listening, nullptr, nullptr));
  std::array<char, 1024> request{};
  EXPECT_GT(::recv(client.number(), request.data(), request.size(), 0), 0);
  const std::string answer =
      "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  static_cast<void>(::send(client.number(), answer.data(), answer.size(), MSG_NOSIGNAL));
}

TEST(DaemonClient, TakesNoLineWithoutEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "qdedupd.sock";
  const auto address = UnixAddress::of(path);
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(socket.number(), address->address(), address->size()), 0);
  ASSERT_EQ(::listen(socket.number(), 1), 0);
  const std::string line((std::size_t{1} << 20U) + 100'000, 'x');
  std::thread server([&] { answer_once(socket.number(), line + "\ngranted\n"); });
  {
    auto client = DaemonClient::connect(path);
    ASSERT_TRUE(client.ok() && client->has_value());
    const Status begun = (*client)->begin("/", "{}", [](std::string_view each) { return each != "granted"; });
    EXPECT_FALSE(begun.ok());
    if (!begun.ok()) {
      EXPECT_THAT(begun.error().message, AllOf(StartsWith(path), HasSubstr("too long")));
    }
  }
  server.join();
}

TEST(DaemonClient, TakesNoAnswerWithoutEnd) {
  Router router;
  router.get("/", [](const Request& /*request*/, const Responder& responder) {
    responder->send(daemon::text_response(200, std::string((std::size_t{16} << 20U) + 1, 'x')));
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  const auto answer = client.get("/");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message, AllOf(StartsWith(server.socket_path()), HasSubstr("too long")));
}

TEST(DaemonClient, TellsWhyItWasRefused) {
  Router router = daemon::sample_router();
  router.post("/busy", [](const Request& /*request*/, const Responder& responder) {
    responder->send(daemon::error_response(503, "too much to do"));
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  const auto never = [](std::string_view line) -> bool { throw std::runtime_error(std::string(line)); };
  const Status busy = client.begin("/busy", "{}", never);
  EXPECT_EQ(busy.error().code, ErrorCode::busy);
  EXPECT_EQ(busy.error().message, server.socket_path() + ": too much to do");
  const Status large = client.begin("/echo", std::string(4'000'000, 'x'), never);
  EXPECT_EQ(large.error().message, server.socket_path() + ": the body is too long");
}

TEST(DaemonClient, SeesThatTheAnswerEndsEarly) {
  Router router;
  router.post("/", [](const Request& /*request*/, const Responder& responder) {
    responder->begin_stream();
    responder->write("begun");
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  std::string lines;
  const Status begun = client.begin("/", "{}", [&lines](std::string_view line) {
    lines += line;
    return true;
  });
  ASSERT_FALSE(begun.ok());
  EXPECT_EQ(begun.error().code, ErrorCode::busy);
  EXPECT_THAT(begun.error().message, AllOf(StartsWith(server.socket_path()), HasSubstr("ended before")));
  EXPECT_EQ(lines, "begun");
}

TEST(DaemonClient, TrustsNoSocketInAFolderOfEverybody) {
  const RunningServer server(daemon::sample_router());
  const std::string folder = std::filesystem::path(server.socket_path()).parent_path();
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
  const auto connected = DaemonClient::connect(server.socket_path());
  ASSERT_FALSE(connected.ok());
  EXPECT_THAT(connected.error().message, AllOf(StartsWith(server.socket_path()), HasSubstr("chmod o-w")));
}

TEST(DaemonClient, TrustsNoSocketThatAStrangerOwns) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const RunningServer server(daemon::sample_router());
  ASSERT_EQ(::chown(server.socket_path().c_str(), nobody, nobody), 0);
  const auto connected = DaemonClient::connect(server.socket_path());
  ASSERT_FALSE(connected.ok());
  EXPECT_THAT(connected.error().message, HasSubstr("nobody"));
}

// A socket is its process's, whoever owns the file; here this one's.
TEST(DaemonClient, TrustsNoSocketOfAStranger) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  const TemporaryFolder folder;
  ASSERT_EQ(::chown(folder.path().c_str(), 1, 1), 0);
  const auto address = UnixAddress::of(folder / "qdedupd.sock");
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(socket.number(), address->address(), address->size()), 0);
  ASSERT_EQ(::seteuid(nobody), 0);
  const int listening = ::listen(socket.number(), 1);
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_EQ(listening, 0);
  ASSERT_EQ(::chown((folder / "qdedupd.sock").c_str(), 1, 1), 0);
  const auto connected = DaemonClient::connect(folder / "qdedupd.sock");
  ASSERT_FALSE(connected.ok());
  EXPECT_THAT(connected.error().message, HasSubstr("nobody"));
}

}  // namespace
}  // namespace qdedup::cli
