#include "daemon/open_requests.h"

#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

using testing::HasSubstr;

constexpr uid_t user_ann = 1, user_bob = 2, user_carl = 3;

class OpenRequestsTest : public testing::Test {
 protected:
  // Null: there are too many.
  Responder ask(uid_t user, const std::string& reviewer = "") {
    Request request;
    request.peer.user = user;
    request.reviewer = reviewer;
    Responder responder = make_responder(std::make_shared<PendingResponse>([] {}, 100));
    if (open_.admit(request, responder)) return responder;
    why_not_ = responder->take(0).response->body;
    return nullptr;
  }

  OpenRequests open_{{"checks", 3, 2}};
  std::string why_not_;
};

TEST_F(OpenRequestsTest, AreLimitedForEachUserAndInAll) {
  const std::vector<Responder> of_bob{ask(user_bob), ask(user_bob)};
  EXPECT_FALSE(ask(user_bob));
  EXPECT_THAT(why_not_, HasSubstr("\"2 of your checks are at work or wait already; try again later\""));
  const Responder of_ann = ask(user_ann);
  EXPECT_TRUE(of_ann);
  EXPECT_FALSE(ask(user_carl));
  EXPECT_THAT(why_not_, HasSubstr("\"too many checks wait already; try again later\""));
}

TEST_F(OpenRequestsTest, AreLimitedForEachReviewer) {
  const uid_t nobody = Peer().user;
  const std::vector<Responder> of_bob{ask(nobody, "bob"), ask(nobody, "bob")};
  EXPECT_FALSE(ask(nobody, "bob"));
  EXPECT_TRUE(ask(nobody, "ann"));
}

TEST_F(OpenRequestsTest, LeaveRoomOnceTheyHaveTheirResponse) {
  const std::vector<Responder> of_bob{ask(user_bob), ask(user_bob)};
  of_bob[0]->send({});
  const Responder third = ask(user_bob);
  EXPECT_TRUE(third);
  third->begin_stream();
  EXPECT_FALSE(ask(user_bob));
  third->abandon();
  EXPECT_TRUE(ask(user_bob));
}

TEST_F(OpenRequestsTest, LeaveRoomOnceTheirClientHasGone) {
  std::vector<Responder> of_bob{ask(user_bob), ask(user_bob)};
  of_bob[0]->leave();
  EXPECT_TRUE(ask(user_bob));
  of_bob.clear();
  EXPECT_TRUE(ask(user_bob));
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
