#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace qdedup {

// `threads`, or the number of cores if it is 0.
inline unsigned thread_count(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

// Calls work(thread) once for each thread below `threads`, with 0 on the caller's, and returns when all are
// done. If the system has no more threads, the caller's thread does their work after its own. If calls throw
// (out of memory, for example), one of the exceptions is rethrown.
template <class Work>
void on_threads(std::size_t threads, const Work& work) {
  std::mutex guard;
  std::exception_ptr failure;
  const auto run = [&](std::size_t thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(guard);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(threads);
    std::size_t thread = 1;
    try {
      for (; thread < threads; ++thread) others.emplace_back(run, thread);
    } catch (const std::system_error&) {
    }
    run(0);
    for (; thread < threads; ++thread) run(thread);
  }
  if (failure) std::rethrow_exception(failure);
}

// Calls work(i) once for each i below `count`, in any order, on up to `threads` threads, and returns when all
// are done. On the caller's thread, tell(i) is called before work(i). If a call throws, those not yet begun
// are skipped, and one of the exceptions is rethrown.
template <class Work, class Tell>
void parallel_for(std::size_t count, unsigned threads, const Work& work, const Tell& tell) {
  std::atomic<std::size_t> next{0};
  on_threads(std::clamp<std::size_t>(count, 1, std::max(threads, 1U)), [&](std::size_t thread) {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        if (thread == 0) tell(i);
        work(i);
      }
    } catch (...) {
      next = count;
      throw;
    }
  });
}

// The same without tell().
template <class Work>
void parallel_for(std::size_t count, unsigned threads, const Work& work) {
  parallel_for(count, threads, work, [](std::size_t /*i*/) {});
}

}  // namespace qdedup
