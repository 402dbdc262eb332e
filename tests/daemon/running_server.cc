#include "tests/daemon/running_server.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace qdedup::daemon {

RunningServer::RunningServer(Router router, const HttpLimits& limits) {
  server_ =
      std::make_unique<HttpServer>(context_, std::move(router), limits, [this](std::string_view message) {
        const std::lock_guard lock(mutex_);
        reports_.emplace_back(message);
        if (reports_.size() == 1) reported_.set_value();
      });
  const Status listening = server_->listen_unix(socket_path());
  EXPECT_TRUE(listening.ok()) << listening.error().message;
  thread_ = std::thread([this] { context_.run(); });
}

RunningServer::~RunningServer() {
  on_thread([this](HttpServer& /*server*/) { server_.reset(); });
  work_.reset();
  thread_.join();
}

std::uint16_t RunningServer::listen_tcp() {
  std::uint16_t port = 0;
  on_thread([&port](HttpServer& server) {
    Result<Authority> authority = Authority::create({{"localhost"}, "0123456789abcdef"});
    port = *server.listen_tcp({"127.0.0.1", 0}, *std::move(authority));
  });
  return port;
}

void RunningServer::on_thread(const std::function<void(HttpServer&)>& function) {
  std::promise<void> done;
  boost::asio::post(context_, [&] {
    function(*server_);
    done.set_value();
  });
  done.get_future().wait();
}

std::size_t RunningServer::connections() {
  std::size_t count = 0;
  on_thread([&count](const HttpServer& server) { count = server.connections(); });
  return count;
}

void RunningServer::stop() {
  on_thread([](HttpServer& server) { server.stop(); });
}

std::vector<std::string> RunningServer::reports() const {
  const std::lock_guard lock(mutex_);
  return reports_;
}

void RunningServer::await_report() { reported_.get_future().wait(); }

std::string get_request(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

std::string post_request(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

Router sample_router() {
  Router router;
  router.get("/hello", [](const Request& /*request*/, const Responder& responder) {
    responder->send(text_response(200, "hello"));
  });
  router.post("/echo",
              [](const Request& request, const Responder& responder) {
                responder->send(text_response(200, request.body));
              },
              {.body_bytes = 1000});
  return router;
}

}  // namespace qdedup::daemon
