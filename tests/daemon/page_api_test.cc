#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/user_name.h"
#include "daemon/api.h"
#include "tests/daemon/running_server.h"
#include "tests/support/sample_state.h"

namespace qdedup::daemon {
namespace {

Router files(const std::string& image_url = "") {
  Router router;
  add_page_files(router, [image_url] { return image_url; });
  return router;
}

class PageFiles : public testing::Test {
 protected:
  RawAnswer get(const std::string& path, const std::string& headers = "") {
    RawClient client = server_.client();
    client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
    return client.read_answer();
  }

  RunningServer server_{files()};
};

TEST_F(PageFiles, AreServedWithTheirTypes) {
  EXPECT_EQ(get("/").headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(get("/").body, get("/index.html").body);
  EXPECT_THAT(get("/").body, testing::StartsWith("<!doctype html>"));
  EXPECT_EQ(get("/app.js").headers.at("content-type"), "text/javascript; charset=utf-8");
  EXPECT_EQ(get("/pair.css").headers.at("content-type"), "text/css; charset=utf-8");
  EXPECT_EQ(get("/nowhere.js").status, 404U);
}

TEST_F(PageFiles, MayLoadNothingFromElsewhere) {
  const RawAnswer answer = get("/");
  EXPECT_THAT(
      answer.headers.at("content-security-policy"),
      testing::AllOf(testing::HasSubstr("default-src 'none'"), testing::HasSubstr("frame-ancestors 'none'"),
                     testing::Not(testing::HasSubstr("unsafe"))));
  EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
  EXPECT_EQ(answer.headers.at("referrer-policy"), "no-referrer");
}

TEST(PageImages, MayComeFromOneOrigin) {
  RunningServer server{files("https://files.example/{name}.png")};
  RawClient client = server.client();
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const RawAnswer answer = client.read_answer();
  EXPECT_THAT(answer.headers.at("content-security-policy"),
              testing::HasSubstr("; img-src 'self' https://files.example; connect-src 'self';"));
  EXPECT_THAT(answer.headers.at("etag"), testing::EndsWith("https://files.example\""));
}

TEST_F(PageFiles, AreSentOnceUntilTheyChange) {
  const RawAnswer first = get("/");
  EXPECT_EQ(first.headers.at("cache-control"), "no-cache");
  RawClient client = server_.client();
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: " +
              first.headers.at("etag") + "\r\n\r\n");
  EXPECT_EQ(client.read_answer(true).status, 304U);
  EXPECT_EQ(get("/", "If-None-Match: \"other\"\r\n").status, 200U);
}

// A reload replaces the settings on the server's thread.
TEST(PageRoutes, ReadTheSettingsOnTheServersThread) {
  const TemporaryFolder folder;
  const db::StateFolder state(folder.path().string());
  const SystemClock clock;
  Worker worker([] {});
  Worker readers([] {});
  Worker checkers([] {});
  CheckIndex index(state, [](const auto&) {});
  config::Settings settings;
  settings.schedule.time_zone = "Asia/Shanghai";
  std::atomic<std::thread::id> server_thread;
  std::atomic<bool> elsewhere = false;
  const ApiContext context{.folder = state,
                           .state = must(db::open_writable_state(state)),
                           .clock = clock,
                           .worker = worker,
                           .readers = readers,
                           .log = nullptr,
                           .checks = std::make_shared<OpenRequests>(command_limits),
                           .reads = std::make_shared<OpenRequests>(read_limits),
                           .checkers = checkers,
                           .index = index,
                           .status = [] { return DaemonStatus(); },
                           .settings = [&]() -> const config::Settings& {
                             if (std::this_thread::get_id() != server_thread.load()) elsewhere = true;
                             return settings;
                           }};
  Router router;
  add_page_routes(router, context);
  RunningServer server(std::move(router));
  server.on_thread([&](HttpServer&) { server_thread = std::this_thread::get_id(); });
  RawClient client = server.client();
  client.send(get_request("/api/review/me"));
  EXPECT_THAT(client.read_answer().body, testing::HasSubstr(R"("time_zone":"Asia/Shanghai")"));
  EXPECT_FALSE(elsewhere);
}

Request over_tcp(const std::string& authorization) {
  Request request;
  request.peer.kind = Peer::Kind::tcp;
  request.headers = {{"authorization", authorization}};
  return request;
}

TEST(Reviewer, OverTcpIsTheTokenAndTheNameThatCameWithIt) {
  const db::Decider ann = reviewer_of(over_tcp("Basic YW5uOnRva2Vu"), SystemClock());
  EXPECT_EQ(ann.user, "token");
  EXPECT_EQ(ann.given_name, "ann");
  Request request = over_tcp("Bearer token");
  EXPECT_EQ(reviewer_of(request, SystemClock()).given_name, "");
  request.headers.insert(request.headers.begin(),
                         {"authorization", "Basic YW5uOnRva2Vu"});  // of a proxy in front
  EXPECT_EQ(reviewer_of(request, SystemClock()).given_name, "");
}

TEST(Reviewer, WhoSignedInIsNoUserOfTheSystem) {
  Request request = over_tcp("");
  request.reviewer = "ann";
  const db::Decider ann = reviewer_of(request, SystemClock());
  EXPECT_EQ(ann.user, "reviewer:ann");
  EXPECT_EQ(ann.given_name, "ann");
  EXPECT_EQ(db::display_name(ann), "reviewer:ann");
}

TEST(Reviewer, OnTheUnixSocketIsItsUser) {
  Request request = over_tcp("Basic YW5uOnRva2Vu");
  request.peer = {Peer::Kind::unix_socket, ::geteuid()};
  const db::Decider decider = reviewer_of(request, SystemClock());
  EXPECT_EQ(decider.user, unix_user(::geteuid()));
  EXPECT_EQ(decider.given_name, "");
}

}  // namespace
}  // namespace qdedup::daemon
