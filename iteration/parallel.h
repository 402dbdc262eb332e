#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/result.h"
#include "db/bank.h"

namespace qdedup::iteration {

// `threads` itself, or the number of cores for 0.
inline unsigned thread_count(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

// Calls work(thread) once for each thread below `threads`, 0 on the caller's, and returns when all are done.
// Where the system has no more threads, the caller's does their work after its own. When one throws (out of
// memory, say), one of the exceptions is rethrown.
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
// are done. Before those on the caller's thread, tell(i) is called there. When one throws, calls not yet
// begun are left out, and one of the exceptions is rethrown.
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

// Each of them keeps two files open, of which a process may have 1,024.
constexpr unsigned max_readers = 16;

// Calls `read` once on each of `threads` threads, but at most `max_readers`, with a connection to the bank of
// its own: `bank` itself on the caller's, which may tell of progress, and read-only ones on the others.
// Returns when all are done; of several errors, the caller's thread's goes before.
Status with_readers(db::Bank& bank, unsigned threads,
                    const std::function<Status(db::Bank& reader, bool tells)>& read);

}  // namespace qdedup::iteration
