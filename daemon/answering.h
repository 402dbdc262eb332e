#pragma once

#include <functional>

#include <boost/asio/thread_pool.hpp>

#include "daemon/responder.h"

namespace qdedup::daemon {

// Runs `answer`, which is to answer by `responder`, on a thread of `readers`; not at all when the client has
// gone by then. An exception of a library is answered with 500.
void answer_on(boost::asio::thread_pool& readers, const Responder& responder, std::function<void()> answer);

}  // namespace qdedup::daemon
