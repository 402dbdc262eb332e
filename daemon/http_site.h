#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "daemon/authority.h"
#include "daemon/descriptor_queue.h"
#include "daemon/http_limits.h"
#include "daemon/router.h"

namespace qdedup::daemon {

// What all connections of a server share.
struct HttpSite {
  Router router;
  HttpLimits limits;
  std::function<void(std::string_view message)> report;
  std::shared_ptr<DescriptorBudget> descriptor_budget;
  std::optional<Authority> authority;  // of those that come over TCP
};

}  // namespace qdedup::daemon
