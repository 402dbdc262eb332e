#pragma once

#include <optional>

#include "daemon/request_reader.h"
#include "daemon/response.h"
#include "daemon/router.h"

namespace qdedup::daemon {

// Keeps out what a browser sends for other pages than ours, though it may send the reviewer's credentials
// with it. Judges by the head alone, after Host and token were found to be right:
//
//   403  a POST whose Origin is not "http://" and its Host, whose Sec-Fetch-Site is not "same-origin", or
//        that has the credentials which browsers send by themselves (Basic) and no Origin
//   415  a POST to a route that takes JSON with anything else
std::optional<Response> refuse_foreign_page(const RequestHead& head, const Router::Route& route);

}  // namespace qdedup::daemon
