#include "daemon/check_api.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/daemon/running_server.h"

namespace qdedup::daemon {
namespace {

// A queue whose thread is the test's: what is posted runs when the test says so.
class ManualQueue {
 public:
  explicit ManualQueue(std::size_t questions_per_request = 1)
      : questions_per_request_(questions_per_request), server_(routes()) {}

  RawClient ask() {
    const std::size_t before = taken_;
    RawClient client = server_.client();
    client.send(post_request("/check", "{}"));
    taken_.wait(before);
    return client;
  }

  void await_gone() { gone_.get_future().wait(); }

  [[nodiscard]] std::size_t posted() const {
    const std::lock_guard lock(mutex_);
    return posted_.size();
  }

  void run_posted() {
    for (const auto& function : take_posted()) function();
  }

  // As a worker that stops does.
  void drop_posted() { take_posted(); }

  std::vector<std::size_t> checked;  // the questions of each reading of the bank
  std::function<void(const iteration::GoOn&)> meanwhile;
  std::string text;                                  // of each question that is asked
  std::function<std::optional<Response>()> refusal;  // of each request
  bool fails = false;
  std::atomic<bool> posting_fails = false;

 private:
  Router routes() {
    Router router;
    router.post("/check", [this](const Request& /*request*/, const Responder& responder) {
      responder->on_gone([this] {
        if (!std::exchange(was_gone_, true)) gone_.set_value();
      });
      queue_->take(std::vector<iteration::AskedQuestion>(questions_per_request_, {{}, text, {}}), {},
                   responder, refusal);
      ++taken_;
      taken_.notify_all();
    });
    return router;
  }

  std::vector<std::function<void()>> take_posted() {
    const std::lock_guard lock(mutex_);
    return std::exchange(posted_, {});
  }

  CheckQueue::Outcomes check(std::size_t questions, const iteration::GoOn& go_on) {
    checked.push_back(questions);
    if (meanwhile) meanwhile(go_on);
    if (fails) throw std::runtime_error("out of order");
    return std::vector<iteration::CheckOutcome>(questions);
  }

  std::size_t questions_per_request_;
  mutable std::mutex mutex_;
  std::vector<std::function<void()>> posted_;
  std::shared_ptr<CheckQueue> queue_ = std::make_shared<CheckQueue>(
      [this](std::function<void()> function) {
        if (posting_fails) throw std::bad_alloc();
        const std::lock_guard lock(mutex_);
        posted_.push_back(std::move(function));
      },
      [this](std::span<const iteration::AskedQuestion> questions, const CheckSettings& /*settings*/,
             const iteration::GoOn& go_on) { return check(questions.size(), go_on); });
  std::atomic<std::size_t> taken_ = 0;
  bool was_gone_ = false;
  std::promise<void> gone_;
  RunningServer server_;
};

TEST(CheckQueue, AnswersTogetherWhatWaits) {
  ManualQueue queue;
  for (const bool fails : {false, true, false}) {
    queue.fails = fails;
    std::list<RawClient> clients;
    for (int i = 0; i < 16; ++i) clients.push_back(queue.ask());
    queue.run_posted();
    for (RawClient& client : clients) EXPECT_EQ(client.read_answer().status, fails ? 500U : 200U);
  }
  EXPECT_EQ(queue.checked, (std::vector<std::size_t>{16, 16, 16}));
}

TEST(CheckQueue, GoesOnWhenItCouldNotBePosted) {
  ManualQueue queue;
  queue.posting_fails = true;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(queue.ask().read_answer().status, 503U);
  queue.posting_fails = false;
  RawClient client = queue.ask();
  queue.run_posted();
  EXPECT_EQ(client.read_answer().status, 200U);
  EXPECT_EQ(queue.checked, std::vector<std::size_t>{1});
}

TEST(CheckQueue, GoesOnAfterWhatWasPostedIsDropped) {
  ManualQueue queue;
  std::list<RawClient> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(queue.ask());
  queue.drop_posted();
  for (RawClient& client : clients) EXPECT_EQ(client.read_answer().status, 500U);
  RawClient client = queue.ask();
  queue.run_posted();
  EXPECT_EQ(client.read_answer().status, 200U);
  EXPECT_EQ(queue.checked, std::vector<std::size_t>{1});
}

TEST(CheckQueue, ServesNobodyWhoIsRefusedByNow) {
  ManualQueue queue;
  queue.refusal = [] { return error_response(401, "nobody is signed in"); };
  RawClient refused = queue.ask();
  queue.refusal = {};
  RawClient client = queue.ask();
  queue.run_posted();
  EXPECT_EQ(refused.read_answer().status, 401U);
  EXPECT_EQ(client.read_answer().status, 200U);
  EXPECT_EQ(queue.checked, std::vector<std::size_t>{1});
}

TEST(CheckQueue, ReadsNoBankForNoQuestion) {
  ManualQueue queue(0);
  RawClient client = queue.ask();
  queue.run_posted();
  EXPECT_EQ(client.read_answer().body, "{\"results\":[]}\n");
  EXPECT_TRUE(queue.checked.empty());
}

TEST(CheckQueue, ReadsNoBankForClientsThatAreGone) {
  ManualQueue queue;
  queue.ask().close();
  queue.await_gone();
  queue.run_posted();
  EXPECT_TRUE(queue.checked.empty());
}

TEST(CheckQueue, EndsWorkForClientsThatAreGone) {
  ManualQueue queue;
  RawClient client = queue.ask();
  queue.meanwhile = [&](const iteration::GoOn& go_on) {
    EXPECT_TRUE(go_on().ok());
    client.close();
    queue.await_gone();
    EXPECT_FALSE(go_on().ok());
  };
  queue.run_posted();
  EXPECT_EQ(queue.checked, std::vector<std::size_t>{1});
}

TEST(CheckQueue, GoesOnWhileOneOfThemIsThere) {
  ManualQueue queue;
  RawClient leaving = queue.ask();
  RawClient staying = queue.ask();
  queue.meanwhile = [&](const iteration::GoOn& go_on) {
    leaving.close();
    queue.await_gone();
    EXPECT_TRUE(go_on().ok());
  };
  queue.run_posted();
  EXPECT_EQ(staying.read_answer().status, 200U);
}

TEST(CheckQueue, ServesLongTextsAloneAndInOrder) {
  ManualQueue queue;
  std::list<RawClient> clients;
  for (const std::size_t bytes : {1U, 8192U, 8193U, 9000U, 1U, 1U, 1U}) {
    queue.text.assign(bytes, 'a');
    clients.push_back(queue.ask());
  }
  for (std::size_t turn = 1; queue.posted() > 0; ++turn) {
    queue.run_posted();
    EXPECT_EQ(queue.checked.size(), turn);
  }
  for (RawClient& client : clients) EXPECT_EQ(client.read_answer().status, 200U);
  EXPECT_EQ(queue.checked, (std::vector<std::size_t>{2, 1, 1, 3}));
}

TEST(CheckQueue, IsPostedOnceWhoeverGoes) {
  ManualQueue queue;
  queue.ask().close();
  queue.await_gone();
  RawClient client = queue.ask();
  EXPECT_EQ(queue.posted(), 1U);
  queue.run_posted();
  EXPECT_EQ(client.read_answer().status, 200U);
  EXPECT_EQ(queue.checked, std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace qdedup::daemon
