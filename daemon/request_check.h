#pragma once

#include <cstddef>
#include <optional>
#include <variant>

#include "daemon/http_site.h"
#include "daemon/request_reader.h"
#include "daemon/request_target.h"
#include "daemon/response.h"

namespace qdedup::daemon {

// A request that may go on to its handler once its body is here.
struct AcceptedRequest {
  Method method = Method::get;
  bool head_only = false;  // HEAD
  RequestTarget target;
  const Router::Route* route = nullptr;
  std::size_t descriptors = 0;  // that the client counts
};

// Judges a request by its head alone, before anything of its body is read: first who sends it (400 for no
// proper Host, 421, 401), then what it asks for (400, 404, 405), then whether a page may ask for it
// (browser_check.h), then what will follow (400, 413).
std::variant<AcceptedRequest, Response> check_request(const RequestHead& head, Peer::Kind peer,
                                                      const HttpSite& site);

}  // namespace qdedup::daemon
