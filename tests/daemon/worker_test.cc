#include "daemon/worker.h"

#include <future>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using std::chrono::milliseconds;

TEST(Worker, DoesOneJobAfterTheOtherInOrder) {
  Worker worker([] {});
  std::vector<int> done;
  std::promise<void> last;
  for (int i = 0; i < 100; ++i) worker.post({"job", [&done, i](Heartbeat&) { done.push_back(i); }});
  worker.post({"last", [&](Heartbeat&) { last.set_value(); }});
  last.get_future().wait();
  EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
  ASSERT_EQ(done.size(), 100U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST(Worker, GoesOnAfterAJobThatRanOutOfMemory) {
  int changes = 0;
  Worker worker([&changes] {
    if (++changes < 3) throw std::bad_alloc();
  });
  std::vector<std::string> failures;
  int tries = 0;
  worker.post({"iteration", [](Heartbeat&) { throw std::bad_alloc(); },
               [&](const Error& error) {
                 if (++tries < 3) throw std::bad_alloc();
                 failures.push_back(error.message.substr(0, error.message.find(';')));
               }});
  std::promise<void> last;
  worker.post({"last", [&](Heartbeat&) { last.set_value(); }});
  last.get_future().wait();
  EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
  EXPECT_EQ(failures, std::vector<std::string>{"out of memory"});
}

TEST(Worker, TellsWhatItIsAt) {
  Worker worker([] {});
  EXPECT_FALSE(worker.running());
  std::promise<void> begun;
  std::promise<void> end;
  worker.post({"iteration", [&](Heartbeat&) {
                 begun.set_value();
                 end.get_future().wait();
               }});
  worker.post({"import", [](Heartbeat&) {}});
  begun.get_future().wait();
  ASSERT_TRUE(worker.running());
  EXPECT_EQ(worker.running()->job, "iteration");
  EXPECT_EQ(worker.waiting(), 1U);
  end.set_value();
  EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
}

TEST(Worker, SaysWhenAJobBeginsAndEnds) {
  std::vector<bool> busy;
  std::promise<void> ended;
  Worker* self = nullptr;
  Worker worker([&] {
    busy.push_back(self->running().has_value());
    if (busy.size() == 2) ended.set_value();
  });
  self = &worker;
  worker.post({"iteration", [](Heartbeat&) {}});
  ended.get_future().wait();
  EXPECT_EQ(busy, (std::vector<bool>{true, false}));
}

TEST(Worker, MovesWithThoseThatWorkForIt) {
  Worker worker([] {});
  std::promise<void> begun;
  std::promise<void> end;
  worker.post({"iteration", [&](Heartbeat&) {
                 begun.set_value();
                 end.get_future().wait();
               }});
  begun.get_future().wait();
  const auto before = worker.running()->last_beat.time;
  std::jthread([&] { worker.beat(db::Activity::commit); }).join();
  EXPECT_GT(worker.running()->last_beat.time, before);
  EXPECT_EQ(worker.running()->last_beat.activity, db::Activity::commit);
  end.set_value();
  EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
}

TEST(Worker, MovesWithTheHeartbeatOfItsOwnThreadOnly) {
  Worker worker([] {});
  std::promise<void> begun;
  std::promise<void> go_on;
  std::promise<void> moved;
  std::promise<void> end;
  worker.post({"iteration", [&](Heartbeat&) {
                 begun.set_value();
                 go_on.get_future().wait();
                 worker.beat_if_mine(db::Activity::step);
                 moved.set_value();
                 end.get_future().wait();
               }});
  begun.get_future().wait();
  const auto before = worker.running()->last_beat.time;
  worker.beat_if_mine(db::Activity::step);
  EXPECT_EQ(worker.running()->last_beat.time, before);
  go_on.set_value();
  moved.get_future().wait();
  EXPECT_GT(worker.running()->last_beat.time, before);
  end.set_value();
  EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
}

TEST(Worker, DropsWhatIsWithdrawn) {
  bool begun = false;
  Worker worker([] {});
  std::promise<void> running;
  std::promise<void> end;
  const std::uint64_t first = worker.post({"iteration", [&](Heartbeat&) {
                                             running.set_value();
                                             end.get_future().wait();
                                           }});
  const std::uint64_t second = worker.post({"import", [&](Heartbeat&) { begun = true; }});
  running.get_future().wait();
  EXPECT_FALSE(worker.withdraw(first));
  EXPECT_TRUE(worker.withdraw(second));
  EXPECT_FALSE(worker.withdraw(second));
  EXPECT_EQ(worker.waiting(), 0U);
  std::promise<void> last;
  worker.post({"last", [&](Heartbeat&) { last.set_value(); }});
  end.set_value();
  last.get_future().wait();
  EXPECT_FALSE(begun);
}

TEST(Worker, StopsWithoutBeginningWhatWaits) {
  bool begun = false;
  {
    Worker worker([] {});
    std::promise<void> running;
    std::promise<void> end;
    worker.post({"iteration", [&](Heartbeat&) {
                   running.set_value();
                   end.get_future().wait();
                 }});
    worker.post({"import", [&](Heartbeat&) { begun = true; }});
    running.get_future().wait();
    EXPECT_FALSE(worker.stop(milliseconds(0)));
    end.set_value();
    EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
    worker.post({"late", [&](Heartbeat&) { begun = true; }});
  }
  EXPECT_FALSE(begun);
}

TEST(Idleness, IsAwaitedForSoLongOnly) {
  boost::asio::thread_pool pool(1);
  std::promise<void> end;
  boost::asio::post(pool, [&end] { end.get_future().wait(); });
  EXPECT_FALSE(becomes_idle(pool, std::chrono::milliseconds(1)));
  end.set_value();
  EXPECT_TRUE(becomes_idle(pool, std::chrono::hours(1)));
  pool.join();
}

}  // namespace
}  // namespace qdedup::daemon
