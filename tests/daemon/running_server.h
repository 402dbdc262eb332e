#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "daemon/http_server.h"
#include "tests/daemon/raw_client.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {

// A server that runs on a thread of its own, on a unix socket.
class RunningServer {
 public:
  explicit RunningServer(Router router, const HttpLimits& limits = {});
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  [[nodiscard]] std::string socket_path() const { return folder_ / "qdedupd.sock"; }
  [[nodiscard]] RawClient client() const { return RawClient::to_unix(socket_path()); }

  // Listens on a free port of 127.0.0.1, with the token "0123456789abcdef" and the host "localhost".
  std::uint16_t listen_tcp();

  // Runs `function` on the server's thread, and waits for it.
  void on_thread(const std::function<void(HttpServer& server)>& function);
  [[nodiscard]] std::size_t connections();
  void stop();

  // What was reported so far.
  [[nodiscard]] std::vector<std::string> reports() const;
  void await_report();

 private:
  TemporaryFolder folder_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context_.get_executor()};
  mutable std::mutex mutex_;
  std::vector<std::string> reports_;
  std::promise<void> reported_;
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

// A GET without anything special.
std::string get_request(std::string_view path);
std::string post_request(std::string_view path, std::string_view body);

// Routes for all kinds of test: GET /hello, POST /echo (up to 1,000 bytes).
Router sample_router();

}  // namespace qdedup::daemon
