#include "base/parallel.h"

#include <atomic>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

TEST(ParallelFor, CallsEachOnce) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
      for (const auto& made : calls) EXPECT_EQ(made, 1);
    }
  }
}

TEST(ParallelFor, TellsOfWhatTheCallersThreadDoes) {
  const auto caller = std::this_thread::get_id();
  for (const unsigned threads : {1U, 3U}) {
    std::vector<std::size_t> told;
    std::vector<char> is_callers(500);
    const auto work = [&](std::size_t i) { is_callers[i] = std::this_thread::get_id() == caller ? 1 : 0; };
    parallel_for(is_callers.size(), threads, work, [&](std::size_t i) { told.push_back(i); });
    std::vector<std::size_t> callers;
    for (std::size_t i = 0; i < is_callers.size(); ++i) {
      if (is_callers[i] != 0) callers.push_back(i);
    }
    EXPECT_EQ(told, callers);
  }
}

TEST(ParallelFor, HandsAnExceptionOn) {
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_THROW(parallel_for(100, threads,
                              [](std::size_t i) {
                                if (i == 50) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
  }
}

TEST(OnThreads, CallsEachOnce) {
  const auto caller = std::this_thread::get_id();
  for (const std::size_t threads : {1U, 3U}) {
    std::vector<std::thread::id> ran(threads);
    on_threads(threads, [&](std::size_t thread) { ran[thread] = std::this_thread::get_id(); });
    EXPECT_EQ(ran.front(), caller);
    EXPECT_EQ(std::set(ran.begin(), ran.end()).size(), threads);
  }
}

TEST(ThreadCount, ZeroMeansTheCores) {
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(3), 3U);
}

}  // namespace
}  // namespace qdedup
