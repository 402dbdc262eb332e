#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/pending_response.h"
#include "daemon/request.h"

namespace qdedup::daemon {

// Called on the server's thread, where it must not wait: it responds at once, or hands request and responder
// to another thread. An exception becomes a 500.
using Handler = std::function<void(Request request, Responder responder)>;

struct RouteOptions {
  std::size_t body_bytes = std::size_t{1024} * 1024;  // a longer body is a 413
  bool json = false;                                  // any other Content-Type is a 415
};

// Which handler serves which path.
class Router {
 public:
  struct Route {
    std::string path;
    Method method;
    Handler handler;
    RouteOptions options;
  };

  // `path` is exact ("/api/status"), or a folder with all its contents ("/review/*"). Of several that match,
  // an exact one wins, then the longest.
  void get(std::string path, Handler handler);  // and HEAD; without a body
  void post(std::string path, Handler handler, RouteOptions options = {});

  // Null: no such path, or not with this method; then allow() lists its methods ("GET, HEAD"), or is empty if
  // there is no such path.
  [[nodiscard]] const Route* find(Method method, std::string_view path) const;
  [[nodiscard]] std::string allow(std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace qdedup::daemon
