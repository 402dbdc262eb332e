#pragma once

#include <chrono>

#include <boost/asio/thread_pool.hpp>

namespace qdedup::daemon {

// Waits at most `patience` until the pool, of one thread, has done all that it was given so far; answers
// whether it has.
bool becomes_idle(boost::asio::thread_pool& pool, std::chrono::milliseconds patience);

}  // namespace qdedup::daemon
