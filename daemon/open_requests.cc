#include "daemon/open_requests.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace qdedup::daemon {

bool OpenRequests::admit(const Request& request, const Responder& responder) {
  std::erase_if(open_, [](const auto& each) {
    const Responder open = each.second.lock();
    return !open || !open->is_open();
  });
  const std::string what = limits_.what;
  const auto refuse = [&](const std::string& why) {
    responder->send(error_response(503, why + " wait already; try again later"));
    return false;
  };
  if (open_.size() >= limits_.all) return refuse("too many " + what);
  const Asker asker(request.peer.user, request.reviewer);
  const auto of_one_user = std::ranges::count(open_, asker, &decltype(open_)::value_type::first);
  if (static_cast<std::size_t>(of_one_user) >= limits_.of_one_user)
    return refuse(std::to_string(limits_.of_one_user) + " of your " + what + " are at work or");
  open_.emplace_back(asker, responder);
  return true;
}

void post_while_there(Worker& worker, const Responder& responder, Worker::Job job,
                      std::function<void()> withdrawn) {
  const std::uint64_t number = worker.post(std::move(job));
  try {
    responder->on_gone([&worker, number, withdrawn = std::move(withdrawn)] {
      if (worker.withdraw(number) && withdrawn) withdrawn();
    });
  } catch (...) {
    worker.withdraw(number);
    throw;
  }
}

}  // namespace qdedup::daemon
