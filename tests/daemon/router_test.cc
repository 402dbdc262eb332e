#include "daemon/router.h"

#include <string>

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using boost::beast::http::verb;

void nothing(const Request& /*request*/, const Responder& /*responder*/) {}

Router sample_routes() {
  Router router;
  router.get("/", nothing);
  router.get("/api/status", nothing);
  router.post("/api/command", nothing, {.body_bytes = 7});
  router.get("/api/both", nothing);
  router.post("/api/both", nothing);
  router.get("/review/*", nothing);
  router.get("/review/static/app.js", nothing);
  return router;
}

std::string found(verb method, std::string_view path) {
  const Router router = sample_routes();
  const Router::Route* route = router.find(method, path);
  return route == nullptr ? "(none)" : route->path;
}

TEST(Router, FindsExactPaths) {
  EXPECT_EQ(found(verb::get, "/"), "/");
  EXPECT_EQ(found(verb::get, "/api/status"), "/api/status");
  EXPECT_EQ(found(verb::get, "/api/status/"), "(none)");
  EXPECT_EQ(found(verb::get, "/api"), "(none)");
  EXPECT_EQ(found(verb::get, "/API/status"), "(none)");
  EXPECT_EQ(found(verb::head, "/api/status"), "/api/status");
  EXPECT_EQ(found(verb::post, "/api/status"), "(none)");
  EXPECT_EQ(found(verb::put, "/api/command"), "(none)");
}

TEST(Router, FindsFolders) {
  EXPECT_EQ(found(verb::get, "/review/"), "/review/*");
  EXPECT_EQ(found(verb::get, "/review/a/b"), "/review/*");
  EXPECT_EQ(found(verb::get, "/review/static/app.js"), "/review/static/app.js");
  EXPECT_EQ(found(verb::get, "/review"), "(none)");
}

TEST(Router, ListsTheMethodsOfAPath) {
  EXPECT_EQ(sample_routes().allow("/api/status"), "GET, HEAD");
  EXPECT_EQ(sample_routes().allow("/api/command"), "POST");
  EXPECT_EQ(sample_routes().allow("/api/both"), "GET, HEAD, POST");
  EXPECT_EQ(sample_routes().allow("/nowhere"), "");
}

TEST(Router, KeepsTheLimitOfARoute) {
  const Router router = sample_routes();
  EXPECT_EQ(router.find(verb::post, "/api/command")->options.body_bytes, 7U);
  EXPECT_EQ(router.find(verb::get, "/api/status")->options.body_bytes, 0U);
}

}  // namespace
}  // namespace qdedup::daemon
