#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/verb.hpp>

#include "daemon/authority.h"
#include "daemon/http_message.h"
#include "daemon/responder.h"

namespace qdedup::daemon {

// Called on the server's thread, where it must not block: it responds at once, or hands request and responder
// to another thread. An exception becomes a 500.
using Handler = std::function<void(Request request, Responder responder)>;

struct RouteOptions {
  std::size_t body_bytes = std::size_t{1024} * 1024;  // longer bodies get a 413
  bool json = false;                                  // any other Content-Type gets a 415
  bool is_open = false;                               // where people sign in, also for those who have not
  bool is_attended = true;  // false: the page asks by itself, which does not keep a session alive
  bool is_last = false;     // answered by its handler even while the server stops
};

// Which handler serves which path.
class Router {
 public:
  struct Route {
    std::string path;
    boost::beast::http::verb method;  // GET or POST
    Handler handler;
    RouteOptions options;
  };

  // `path` is exact ("/api/status"), or a folder with everything below it ("/review/*"). An exact one takes
  // precedence; folders do not overlap.
  void get(std::string path, Handler handler, RouteOptions options = {});  // and HEAD; has no body
  void post(std::string path, Handler handler, RouteOptions options = {});

  // For HEAD, that of GET. Null if there is no such path, or not with this method; then allow() lists the
  // path's methods ("GET, HEAD"), or is empty if there is no such path.
  [[nodiscard]] const Route* find(boost::beast::http::verb method, std::string_view path) const;
  [[nodiscard]] std::string allow(std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

using RequestParser = boost::beast::http::request_parser<boost::beast::http::string_body>;

// A request that goes to its handler once its body has arrived.
struct AcceptedRequest {
  bool head_only = false;  // HEAD
  const Router::Route* route = nullptr;
  Request request;  // still without body and peer
};

// Checks a request by its head alone, before any of its body is read: who sends it (400 for an invalid Host,
// 421, 401; 503 while who may sign in cannot be read), what it asks for (400, 404, 405), whether it comes
// from our own page, and what body will follow (400, 413). `authority` applies to TCP. Browsers send the
// reviewer's credentials with requests of other pages too, so these are refused:
//
//   403  a POST whose Origin is not that of the page at its Host (origin_at), or whose Sec-Fetch-Site is not
//        "same-origin", or over TCP without a bearer's token and without Origin, as browsers send other
//        credentials on their own; and any other request that another site's page makes (Sec-Fetch-Site),
//        except by navigating there
//   415  a POST of anything but JSON to a route that takes JSON
std::variant<AcceptedRequest, Response> check_request(const RequestParser& head, Peer::Kind peer,
                                                      const Router& router,
                                                      const std::optional<Authority>& authority);

}  // namespace qdedup::daemon
