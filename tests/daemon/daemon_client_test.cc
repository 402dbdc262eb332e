#include "cli/daemon_client.h"

#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/daemon/running_server.h"

namespace qdedup::cli {
namespace {

using daemon::LineStream;
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

TEST(DaemonClient, HandsOutEachLineAsItComes) {
  std::promise<LineStream> taken;
  Router router;
  router.post("/", [&taken](const Request& request, const Responder& responder) {
    EXPECT_EQ(request.body, "{\"a\":1}");
    EXPECT_EQ(*request.header("content-type"), "application/json");
    LineStream stream = responder.stream();
    stream.write("first");
    taken.set_value(stream);
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  std::vector<std::string> lines;
  std::promise<void> first;
  std::thread writer([&] {
    LineStream stream = taken.get_future().get();
    first.get_future().wait();  // the client has the first line before there is another
    stream.write(std::string(100'000, 'x'));
    stream.write("");
    stream.write("last");
    stream.finish();
  });
  const Status done = client.post("/", "{\"a\":1}", {}, [&](std::string_view line) {
    lines.emplace_back(line);
    if (lines.size() == 1) first.set_value();
  });
  writer.join();
  EXPECT_TRUE(done.ok()) << done.error().message;
  EXPECT_THAT(lines, ElementsAre("first", std::string(100'000, 'x'), "", "last"));
}

TEST(DaemonClient, PassesFiles) {
  Router router;
  router.post("/", [](const Request& request, const Responder& responder) {
    LineStream stream = responder.stream();
    for (const FileDescriptor& file : request.descriptors) {
      struct stat about {};
      EXPECT_EQ(::fstat(file.number(), &about), 0);
      stream.write(std::to_string(about.st_size));
    }
    stream.finish();
  });
  const RunningServer server(std::move(router));
  const TemporaryFolder folder;
  std::vector<FileDescriptor> files;
  std::vector<int> numbers;
  for (int i = 0; i < 600; ++i) {
    files.emplace_back(::open(folder.write("f", std::string(static_cast<std::size_t>(i), 'x')).c_str(),
                              O_RDONLY | O_CLOEXEC));
    numbers.push_back(files.back().number());
    ::unlink((folder / "f").c_str());
  }
  DaemonClient client = client_of(server);
  for (int round = 0; round < 2; ++round) {
    int next = 0;
    const Status done = client.post("/", "{}", numbers,
                                    [&](std::string_view line) { EXPECT_EQ(line, std::to_string(next++)); });
    EXPECT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(next, 600);
  }
}

TEST(DaemonClient, TellsWhyItWasRefused) {
  Router router = daemon::sample_router();
  router.post("/busy", [](const Request& /*request*/, const Responder& responder) {
    responder.send(daemon::error_response(503, "too much to do"));
  });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  const Status busy = client.post("/busy", "{}", {}, [](std::string_view /*line*/) { FAIL(); });
  EXPECT_EQ(busy.error().code, ErrorCode::busy);
  EXPECT_EQ(busy.error().message, server.socket_path() + ": too much to do");
  const Status large =
      client.post("/echo", std::string(4'000'000, 'x'), {}, [](std::string_view /*line*/) { FAIL(); });
  EXPECT_EQ(large.error().message, server.socket_path() + ": the body is too long");
}

TEST(DaemonClient, SeesThatTheAnswerEndsEarly) {
  Router router;
  router.post(
      "/", [](const Request& /*request*/, const Responder& responder) { responder.stream().write("begun"); });
  const RunningServer server(std::move(router));
  DaemonClient client = client_of(server);
  std::string lines;
  const Status done = client.post("/", "{}", {}, [&lines](std::string_view line) { lines += line; });
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::io);
  EXPECT_THAT(done.error().message, AllOf(StartsWith(server.socket_path()), HasSubstr("ended before")));
  EXPECT_EQ(lines, "begun");
}

}  // namespace
}  // namespace qdedup::cli
