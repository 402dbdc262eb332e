#include "daemon/idleness.h"

#include <future>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace qdedup::daemon {
namespace {

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
