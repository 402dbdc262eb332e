#include "import/bounded_queue.h"

#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

TEST(BoundedQueue, HandsOverInOrderWhateverIsFaster) {
  BoundedQueue<int> queue(3);
  std::jthread first([&] {
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(queue.push(int{i}));
    queue.end(nullptr);
  });
  std::vector<int> taken;
  while (const std::optional<int> value = queue.pop()) taken.push_back(*value);
  ASSERT_EQ(taken.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], i);
  EXPECT_FALSE(queue.pop());
}

TEST(BoundedQueue, AFailureComesBehindWhatWasHandedOver) {
  BoundedQueue<int> queue(3);
  EXPECT_TRUE(queue.push(1));
  queue.end(std::make_exception_ptr(std::bad_alloc()));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_THROW(queue.pop(), std::bad_alloc);
  EXPECT_FALSE(queue.pop());
}

TEST(BoundedQueue, TakesNothingThatIsNotWanted) {
  BoundedQueue<int> queue(3);
  queue.refuse();
  EXPECT_FALSE(queue.push(1));
}

TEST(BoundedQueue, ToRefuseWakesTheOneThatWaits) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(1));
  bool wanted = true;
  {
    const std::jthread first([&] { wanted = queue.push(2); });
    queue.refuse();
  }
  EXPECT_FALSE(wanted);
}

}  // namespace
}  // namespace qdedup::import
