#pragma once

#include <optional>
#include <variant>

#include "daemon/authority.h"
#include "daemon/request_reader.h"
#include "daemon/response.h"
#include "daemon/router.h"

namespace qdedup::daemon {

// A request that goes to its handler once its body is here.
struct AcceptedRequest {
  Method method = Method::get;
  bool head_only = false;  // HEAD
  RequestTarget target;
  const Router::Route* route = nullptr;
};

// Checks a request by its head alone, before any of its body is read: who sends it (400 for no proper Host,
// 421, 401), what it asks for (400, 404, 405), whether it comes from our own page, and what will follow (400,
// 413). `authority` is for those over TCP. Browsers send the reviewer's credentials for other pages too, so
// these are refused:
//
//   403  a POST whose Origin is not "http://" and its Host, whose Sec-Fetch-Site is not "same-origin", or
//        with the credentials that browsers send by themselves (Basic) and no Origin
//   415  a POST of anything but JSON to a route that takes JSON
std::variant<AcceptedRequest, Response> check_request(const RequestHead& head, Peer::Kind peer,
                                                      const Router& router,
                                                      const std::optional<Authority>& authority);

}  // namespace qdedup::daemon
