#include "daemon/api.h"

#include <atomic>
#include <future>
#include <new>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

// Readers that are blocked until finish(), and serve /look.
class BlockedReaders {
 public:
  explicit BlockedReaders(std::function<void(const Responder&)> look) : look_(std::move(look)) {
    std::promise<void> begun;
    readers_.post({"block", [this, &begun](Heartbeat&) {
                     begun.set_value();
                     go_on_.get_future().wait();
                   }});
    begun.get_future().wait();
  }

  // A client whose request has come.
  RawClient ask() {
    const std::size_t before = taken_;
    RawClient client = server_.client();
    client.send(get_request("/look"));
    taken_.wait(before);
    return client;
  }

  void await_gone() { gone_.get_future().wait(); }

  [[nodiscard]] std::size_t waiting() const { return readers_.waiting(); }

  void finish() {
    std::promise<void> done;
    readers_.post({"end", [&done](Heartbeat&) { done.set_value(); }});
    go_on_.set_value();
    done.get_future().wait();
  }

 private:
  Router routes() {
    Router router;
    router.get("/look", [this](const Request& /*request*/, const Responder& responder) {
      responder->on_gone([this] {
        if (!std::exchange(was_gone_, true)) gone_.set_value();
      });
      respond_on(readers_, "look", responder, [this, responder] { look_(responder); });
      ++taken_;
      taken_.notify_all();
    });
    return router;
  }

  std::function<void(const Responder&)> look_;
  std::promise<void> go_on_;
  std::atomic<std::size_t> taken_ = 0;
  bool was_gone_ = false;
  std::promise<void> gone_;
  Worker readers_{[] {}};
  RunningServer server_{routes()};
};

TEST(Responding, IsWithdrawnForClientsThatAreGone) {
  int looks = 0;
  BlockedReaders readers([&](const Responder& responder) {
    ++looks;
    responder->send({});
  });
  readers.ask().close();
  readers.await_gone();
  RawClient client = readers.ask();
  EXPECT_EQ(readers.waiting(), 1U);
  readers.finish();
  EXPECT_EQ(client.read_answer().status, 200U);
  EXPECT_EQ(looks, 1);
}

TEST(Responding, EndsNoThreadWithAnException) {
  BlockedReaders readers([](const Responder&) { throw std::runtime_error("out of order"); });
  RawClient client = readers.ask();
  readers.finish();
  EXPECT_EQ(client.read_answer().status, 500U);
}

TEST(Responding, EndsNoWorkerWithAnException) {
  Worker worker([] {});
  Router router;
  router.get("/change", [&worker](const Request& /*request*/, const Responder& responder) {
    respond_on(worker, "change", responder, [] { throw std::bad_alloc(); });
  });
  RunningServer server(std::move(router));
  for (int i = 0; i < 2; ++i) {
    RawClient client = server.client();
    client.send(get_request("/change"));
    EXPECT_EQ(client.read_answer().status, 503U);
  }
}

}  // namespace
}  // namespace qdedup::daemon
