#pragma once

#include <chrono>
#include <optional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::daemon {

// Asks the store something small now and then, to see that it answers. On a thread of its own, so that it
// waits for nothing but the store. All functions on the thread of `loop`, which is to outlive the object.
class StoreProbe {
 public:
  using Time = std::chrono::steady_clock::time_point;

  StoreProbe(boost::asio::io_context& loop, db::StateFolder folder)
      : loop_(loop), folder_(std::move(folder)) {}

  // Nothing while it waits for an answer. An error is none.
  void ask();

  // Since when it asks in vain. None: it has answered, or was never asked.
  [[nodiscard]] std::optional<Time> asked_in_vain_since() const { return asked_; }

  // Waits for what was asked, and at most `patience`; answers whether that is done.
  bool is_done(std::chrono::milliseconds patience);

 private:
  bool store_answers();  // on the thread of its own

  boost::asio::io_context& loop_;
  db::StateFolder folder_;
  std::optional<db::Store> store_;  // of the thread of its own
  std::optional<Time> asked_;
  bool asking_ = false;
  boost::asio::thread_pool thread_{1};
};

}  // namespace qdedup::daemon
