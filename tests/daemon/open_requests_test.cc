#include "daemon/open_requests.h"

#include <future>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

constexpr uid_t ann = 1, bob = 2, carl = 3;

class OpenRequestsTest : public testing::Test {
 protected:
  // Null: there are too many.
  Responder ask(uid_t user) {
    Responder responder = make_responder(std::make_shared<PendingResponse>([] {}, 100));
    const Status room = open_.admit({Peer::Kind::unix_socket, user}, responder);
    if (!room.ok()) why_not_ = room.error().message;
    return room.ok() ? responder : nullptr;
  }

  OpenRequests open_{{"checks", 3, 2}};
  std::string why_not_;
};

TEST_F(OpenRequestsTest, AreLimitedForEachUserAndInAll) {
  const std::vector<Responder> of_bob{ask(bob), ask(bob)};
  EXPECT_FALSE(ask(bob));
  EXPECT_EQ(why_not_, "2 of your checks are at work or wait already; try again later");
  const Responder of_ann = ask(ann);
  EXPECT_TRUE(of_ann);
  EXPECT_FALSE(ask(carl));
  EXPECT_EQ(why_not_, "too many checks wait already; try again later");
}

TEST_F(OpenRequestsTest, LeaveRoomOnceTheyHaveTheirResponse) {
  const std::vector<Responder> of_bob{ask(bob), ask(bob)};
  of_bob[0]->send({});
  const Responder third = ask(bob);
  EXPECT_TRUE(third);
  third->begin_stream();
  EXPECT_FALSE(ask(bob));
  third->finish();
  EXPECT_TRUE(ask(bob));
}

TEST_F(OpenRequestsTest, LeaveRoomOnceTheirClientHasGone) {
  std::vector<Responder> of_bob{ask(bob), ask(bob)};
  of_bob[0]->leave();
  EXPECT_TRUE(ask(bob));
  of_bob.clear();
  EXPECT_TRUE(ask(bob));
}

TEST(JobForAClient, IsWithdrawnWhenItGoes) {
  Worker worker([] {});
  std::promise<void> begun;
  std::promise<void> end;
  worker.post({"iteration", [&](Heartbeat&) {
                 begun.set_value();
                 end.get_future().wait();
               }});
  begun.get_future().wait();
  int withdrawn = 0;
  bool done = false;
  const Responder responder = make_responder(std::make_shared<PendingResponse>([] {}, 100));
  post_while_there(worker, responder, {"review", [&done](Heartbeat&) { done = true; }},
                   [&withdrawn] { ++withdrawn; });
  EXPECT_EQ(worker.waiting(), 1U);
  responder->leave();
  EXPECT_EQ(worker.waiting(), 0U);
  EXPECT_EQ(withdrawn, 1);
  post_while_there(worker, responder, {"review", [&done](Heartbeat&) { done = true; }},
                   [&withdrawn] { ++withdrawn; });
  EXPECT_EQ(worker.waiting(), 0U);
  EXPECT_EQ(withdrawn, 2);
  end.set_value();
  EXPECT_TRUE(worker.stop(std::chrono::hours(1)));
  EXPECT_FALSE(done);
}

}  // namespace
}  // namespace qdedup::daemon
