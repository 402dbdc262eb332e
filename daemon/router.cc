#include "daemon/router.h"

#include <utility>

namespace qdedup::daemon {
namespace {

bool matches(std::string_view pattern, std::string_view path) {
  if (!pattern.ends_with("/*")) return pattern == path;
  return path.starts_with(pattern.substr(0, pattern.size() - 1));
}

// Whether `a` wins over `b`, where both match.
bool closer(std::string_view a, std::string_view b) {
  const bool a_is_folder = a.ends_with("/*");
  if (a_is_folder != b.ends_with("/*")) return !a_is_folder;
  return a.size() > b.size();
}

}  // namespace

void Router::get(std::string path, Handler handler) {
  routes_.push_back({std::move(path), Method::get, std::move(handler), {.body_bytes = 0}});
}

void Router::post(std::string path, Handler handler, RouteOptions options) {
  routes_.push_back({std::move(path), Method::post, std::move(handler), options});
}

const Router::Route* Router::find(Method method, std::string_view path) const {
  const Route* best = nullptr;
  for (const Route& route : routes_) {
    if (route.method != method || !matches(route.path, path)) continue;
    if (best == nullptr || closer(route.path, best->path)) best = &route;
  }
  return best;
}

std::string Router::allow(std::string_view path) const {
  std::string methods;
  if (find(Method::get, path) != nullptr) methods = "GET, HEAD";
  if (find(Method::post, path) != nullptr) methods += methods.empty() ? "POST" : ", POST";
  return methods;
}

}  // namespace qdedup::daemon
