#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "daemon/http_message.h"
#include "daemon/responder.h"
#include "daemon/worker.h"

namespace qdedup::daemon {

// The requests of one kind that wait or are being served. Each uses a connection, and often memory, so there
// is a limit; and a lower one for each user and each reviewer who signed in (all who have the token are one),
// so that nobody shuts out all others. Whoever has gone does not count. To be used on the loop's thread.
class OpenRequests {
 public:
  struct Limits {
    const char* what;  // "commands"
    std::size_t all;
    std::size_t of_one_user;
  };

  explicit OpenRequests(Limits limits) : limits_(limits) {}

  // Counts a request until its response is complete; responds that there are too many, and returns false, if
  // there are.
  bool admit(const Request& request, const Responder& responder);

 private:
  using Asker = std::pair<uid_t, std::string>;  // a user, and a reviewer

  Limits limits_;
  std::vector<std::pair<Asker, std::weak_ptr<PendingResponse>>> open_;
};

// They leave some of the HttpLimits::connections for other requests.
inline constexpr OpenRequests::Limits command_limits{"commands", 16, 8};
inline constexpr OpenRequests::Limits decision_limits{"decisions", 16, 8};
// These are answered by one thread, one after the other.
inline constexpr OpenRequests::Limits read_limits{"requests", 24, 12};

// Posts a job that is withdrawn if the client goes before it begins; then `withdrawn` is called, if any.
void post_while_there(Worker& worker, const Responder& responder, Worker::Job job,
                      std::function<void()> withdrawn = {});

}  // namespace qdedup::daemon
