#include "daemon/idleness.h"

#include <future>
#include <memory>

#include <boost/asio/post.hpp>

namespace qdedup::daemon {

bool becomes_idle(boost::asio::thread_pool& pool, std::chrono::milliseconds patience) {
  auto idle = std::make_shared<std::promise<void>>();
  boost::asio::post(pool, [idle] { idle->set_value(); });
  return idle->get_future().wait_for(patience) == std::future_status::ready;
}

}  // namespace qdedup::daemon
