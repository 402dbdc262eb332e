#include "daemon/open_requests.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace qdedup::daemon {

Status OpenRequests::admit(const Request& request, const Responder& responder) {
  std::erase_if(open_, [](const auto& each) {
    const Responder open = each.second.lock();
    return !open || !open->is_open();
  });
  const std::string what = limits_.what;
  if (open_.size() >= limits_.all) {
    return Error{ErrorCode::busy, "too many " + what + " wait already; try again later"};
  }
  const Asker asker(request.peer.user, request.reviewer);
  const auto of_one_user = std::ranges::count(open_, asker, &decltype(open_)::value_type::first);
  if (static_cast<std::size_t>(of_one_user) >= limits_.of_one_user) {
    return Error{ErrorCode::busy, std::to_string(limits_.of_one_user) + " of your " + what +
                                      " are at work or wait already; try again later"};
  }
  open_.emplace_back(asker, responder);
  return {};
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
