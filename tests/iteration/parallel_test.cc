#include "iteration/parallel.h"

#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/sample_state.h"

namespace qdedup::iteration {
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

TEST(BankReaders, EachHasAConnectionOfItsOwnAndOneTells) {
  SampleState state;
  state.put({{1, "甲"}});
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::mutex guard;
    std::set<const db::Bank*> banks;
    int tell = 0;
    must(with_readers(state.bank, threads, [&](db::Bank& reader, bool tells) -> Status {
      EXPECT_EQ(*reader.count(), 1U);
      const std::lock_guard lock(guard);
      EXPECT_EQ(&reader == &state.bank, tells);
      tell += tells ? 1 : 0;
      banks.insert(&reader);
      return {};
    }));
    EXPECT_EQ(banks.size(), threads);
    EXPECT_EQ(tell, 1);
  }
}

TEST(BankReaders, TheErrorOfTheCallersThreadGoesFirst) {
  SampleState state;
  const auto fail = [](db::Bank&, bool tells) -> Status {
    return Error{ErrorCode::io, tells ? "own" : "other"};
  };
  EXPECT_EQ(with_readers(state.bank, 3, fail).error().message, "own");
  const auto fail_elsewhere = [](db::Bank&, bool tells) -> Status {
    return tells ? Status() : Error{ErrorCode::io, "other"};
  };
  EXPECT_EQ(with_readers(state.bank, 3, fail_elsewhere).error().message, "other");
}

// As many threads as the config takes, where few files may be open.
TEST(BankReaders, AreNotMoreThanFilesMayBeOpen) {
  SampleState state;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{128, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::atomic<unsigned> readers{0};
  const Status read = with_readers(state.bank, 1024, [&](db::Bank& reader, bool) -> Status {
    ++readers;
    return reader.count().ok() ? Status() : Error{ErrorCode::io, "no count"};
  });
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  must(read);
  EXPECT_EQ(readers, max_readers);
}

}  // namespace
}  // namespace qdedup::iteration
