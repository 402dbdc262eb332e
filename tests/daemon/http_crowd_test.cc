// Many clients.
#include <filesystem>
#include <future>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/daemon/running_server.h"
#include "tests/support/descriptor_limit.h"

namespace qdedup::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HttpLimits limits_for(std::size_t connections) {
  HttpLimits limits;
  limits.connections = connections;
  return limits;
}

TEST(HttpCrowd, OfThousandsInSequenceIsAnswered) {
  RunningServer server(sample_router());
  for (int i = 0; i < 5000; ++i) {
    RawClient client = server.client();
    client.send(get_request("/hello"));
    ASSERT_EQ(client.read_answer().body, "hello");
  }
}

TEST(HttpCrowd, OfFiveHundredAtOnceIsAnswered) {
  RunningServer server(sample_router());
  std::list<RawClient> clients;
  for (int i = 0; i < 500; ++i) {
    clients.push_back(server.client());
    clients.back().send(get_request("/hello"));
  }
  for (RawClient& client : clients) ASSERT_EQ(client.read_answer().body, "hello");
  EXPECT_LE(server.connections(), 64U);
}

TEST(HttpCrowd, ThatOnlyConnectsAndLeavesCostsNothing) {
  RunningServer server(sample_router());
  for (int i = 0; i < 2000; ++i) {
    RawClient client = server.client();
    if (i % 2 == 0) client.send("GET /hel");
  }
  RawClient client = server.client();
  client.send(get_request("/hello"));
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST(HttpCrowd, MakesRoomByEndingWhoAsksNothingMore) {
  RunningServer server(sample_router(), limits_for(2));
  std::list<RawClient> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(server.client());
    clients.back().send(get_request("/hello"));
    EXPECT_EQ(clients.back().read_answer().body, "hello");
  }
  EXPECT_TRUE(clients.front().at_end());
  EXPECT_EQ(server.connections(), 2U);
}

TEST(HttpCrowd, WaitsForWhoeverIsBeingAnswered) {
  std::promise<Responder> taken;
  Router router = sample_router();
  router.get("/later", [&taken](const Request& /*request*/, Responder responder) {
    taken.set_value(std::move(responder));
  });
  RunningServer server(std::move(router), limits_for(1));
  RawClient first = server.client();
  first.send(get_request("/later"));
  const Responder responder = taken.get_future().get();
  RawClient second = server.client();
  second.send(get_request("/hello"));
  EXPECT_EQ(server.connections(), 1U);
  responder->send(text_response(200, "done"));
  EXPECT_EQ(first.read_answer().body, "done");
  EXPECT_EQ(second.read_answer().body, "hello");
}

// Those that would otherwise be waited for.
HttpLimits patient_limits_for(std::size_t connections) {
  HttpLimits limits = limits_for(connections);
  limits.idle = limits.header = limits.body = std::chrono::hours(1);
  return limits;
}

TEST(HttpCrowd, ThatSaysNothingOrLittleMakesRoom) {
  for (const char* said : {"", "G", "GET /hello HTTP/1.1\r\nHost: localhost\r\nX: ",
                           "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc"}) {
    RunningServer server(sample_router(), patient_limits_for(4));
    std::list<RawClient> crowd;
    for (int i = 0; i < 20; ++i) {
      crowd.push_back(server.client());
      crowd.back().send(said);
    }
    RawClient client = server.client();
    client.send(get_request("/hello"));
    EXPECT_EQ(client.read_answer().body, "hello") << said;
    EXPECT_EQ(server.connections(), 3U);  // a quarter is left for other users
  }
}

// Connects as another user; user ids are those of the thread.
RawClient client_of_user(const RunningServer& server, uid_t user) {
  constexpr auto same = static_cast<uid_t>(-1);
  EXPECT_EQ(::syscall(SYS_setresuid, same, user, same), 0);
  RawClient client = server.client();
  EXPECT_EQ(::syscall(SYS_setresuid, same, ::getuid(), same), 0);
  return client;
}

TEST(HttpCrowd, OfOneUserThatReadsNoAnswerLeavesRoomForOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs another user";
  constexpr uid_t nobody = 65534;
  Router router = sample_router();
  router.get("/long", [](const Request& /*request*/, const Responder& responder) {
    responder->send(text_response(200, std::string(1U << 24U, 'a')));
  });
  HttpLimits limits = patient_limits_for(8);
  limits.write = std::chrono::hours(1);
  RunningServer server(std::move(router), limits);
  std::filesystem::permissions(std::filesystem::path(server.socket_path()).parent_path(),
                               std::filesystem::perms(0755));
  std::filesystem::permissions(server.socket_path(), std::filesystem::perms(0666));
  std::list<RawClient> crowd;
  for (int i = 0; i < 6; ++i) {
    crowd.push_back(client_of_user(server, nobody));
    crowd.back().send(get_request("/long"));
    crowd.back().read_until("aaa");
  }
  EXPECT_EQ(client_of_user(server, nobody).read_answer().status, 503U);
  RawClient other = server.client();
  other.send(get_request("/hello"));
  EXPECT_EQ(other.read_answer().body, "hello");
}

TEST(HttpCrowd, OverTcpMakesRoomForWhoHasTheToken) {
  RunningServer server(sample_router(), patient_limits_for(4));
  const std::uint16_t port = server.listen_tcp();
  std::list<RawClient> crowd;
  for (int i = 0; i < 20; ++i) crowd.push_back(RawClient::to_tcp(port));
  RawClient client = RawClient::to_tcp(port);
  client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "hello");
}

// As everybody may ask for the page's files where people sign in.
TEST(HttpCrowd, ThatDoesNotReadWhatEverybodyMayHaveMakesRoom) {
  Router router = sample_router();
  router.get("/page",
             [](const Request& /*request*/, const Responder& responder) {
               responder->send(text_response(200, std::string(1U << 24U, 'a')));
             },
             {.is_open = true});
  HttpLimits limits = patient_limits_for(4);
  limits.write = std::chrono::hours(1);
  RunningServer server(std::move(router), limits);
  const std::uint16_t port = server.listen_tcp();
  const auto request = [](const std::string& path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n";
  };
  std::list<RawClient> crowd;
  for (int i = 0; i < 8; ++i) {
    crowd.push_back(RawClient::to_tcp(port));
    crowd.back().send(request("/page"));
    crowd.back().read_until("aaa");
  }
  RawClient client = RawClient::to_tcp(port);
  client.send(request("/hello"));
  EXPECT_EQ(client.read_answer().body, "hello");
}

TEST(HttpCrowd, ThatHasAskedForNothingGoesFirst) {
  RunningServer server(sample_router(), patient_limits_for(3));
  RawClient served = server.client();
  served.send(get_request("/hello"));
  EXPECT_EQ(served.read_answer().body, "hello");
  RawClient sending = server.client();
  sending.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  sending.read_until("100 Continue\r\n\r\n");
  for (int i = 0; i < 20; ++i) {
    RawClient silent = server.client();
    silent.send("GET /he");
    RawClient refused = server.client();
    refused.send(get_request("/nowhere"));
    EXPECT_EQ(refused.read_answer().status, 404U);
  }
  served.send(get_request("/hello"));
  EXPECT_EQ(served.read_answer().body, "hello");
  sending.send("abc");
  EXPECT_EQ(sending.read_answer().body, "abc");
}

TEST(HttpCrowd, OnOneListenerLeavesTheOtherAlone) {
  std::promise<Responder> taken;
  Router router = sample_router();
  router.get("/later", [&taken](const Request& /*request*/, Responder responder) {
    taken.set_value(std::move(responder));
  });
  RunningServer server(std::move(router), limits_for(1));
  const std::uint16_t port = server.listen_tcp();
  RawClient local = server.client();
  local.send(get_request("/later"));
  const Responder responder = taken.get_future().get();
  RawClient remote = RawClient::to_tcp(port);
  remote.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n");
  EXPECT_EQ(remote.read_answer().body, "hello");
}

TEST(HttpCrowd, WaitsForDescriptorsWhenNoneAreLeft) {
  if (!works_without_descriptors) GTEST_SKIP() << "the sanitizer needs descriptors of its own";
  HttpLimits limits;
  limits.accept_pause = std::chrono::milliseconds(1);
  RunningServer server(sample_router(), limits);
  RawClient served = server.client();
  served.send(get_request("/hello"));
  EXPECT_EQ(served.read_answer().body, "hello");
  RawClient waiting = RawClient::unconnected();
  {
    const DescriptorLimit none(0);
    waiting.connect(server.socket_path());
    waiting.send(get_request("/hello"));
    server.await_report();
    EXPECT_EQ(served.read_answer().body, "");  // it asked for nothing more, so it made room
  }
  EXPECT_EQ(waiting.read_answer().body, "hello");
  EXPECT_THAT(server.reports(), ElementsAre(HasSubstr("Too many open files")));
}

}  // namespace
}  // namespace qdedup::daemon
