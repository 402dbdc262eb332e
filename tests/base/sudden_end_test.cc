#include "base/sudden_end.h"

#include <csignal>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

using testing::ExitedWithCode;
using testing::KilledBySignal;

void in_a_thread(const std::function<void()>& work) {
  end_at_once_on_shortage("program");
  std::thread(work).join();
}

TEST(SuddenEnd, FollowsALackOfMemory) {
  EXPECT_EXIT(in_a_thread([] { throw std::bad_alloc(); }), ExitedWithCode(75), "^program: out of memory; ");
  EXPECT_EXIT(in_a_thread([] { throw std::bad_array_new_length(); }), ExitedWithCode(75),
              "^program: out of memory; ");
}

TEST(SuddenEnd, FollowsALackOfThreads) {
  const auto lacks_threads = [] {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  };
  EXPECT_EXIT(in_a_thread(lacks_threads), ExitedWithCode(75), "^program: no more threads can be had; ");
}

TEST(SuddenEnd, FollowsALackOfDescriptors) {
  const auto lacks_descriptors = [] {
    throw std::system_error(std::make_error_code(std::errc::too_many_files_open));
  };
  EXPECT_EXIT(in_a_thread(lacks_descriptors), ExitedWithCode(75), "^program: too many open files; ");
}

TEST(SuddenEnd, LeavesDefectsAlone) {
  EXPECT_EXIT(in_a_thread([] { throw std::logic_error("a defect"); }), KilledBySignal(SIGABRT), "a defect");
  EXPECT_EXIT(in_a_thread([] { throw 1; }), KilledBySignal(SIGABRT), "");
  EXPECT_EXIT(in_a_thread([] { std::terminate(); }), KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace qdedup
