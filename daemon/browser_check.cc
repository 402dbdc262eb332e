#include "daemon/browser_check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/ascii.h"
#include "daemon/credentials.h"

namespace qdedup::daemon {
namespace {

using Values = std::vector<std::string_view>;

bool is_same_origin(const RequestHead& head) {
  const Values sites = head.all("Sec-Fetch-Site");
  const bool same_site =
      std::all_of(sites.begin(), sites.end(), [](std::string_view site) { return site == "same-origin"; });
  const Values origins = head.all("Origin");
  const Values hosts = head.all("Host");
  if (origins.empty() || !same_site) return same_site;
  if (origins.size() != 1 || hosts.size() != 1) return false;
  return equal_in_any_case(origins.front(), "http://" + std::string(hosts.front()));
}

// Whether a browser may have added the credentials without the page's doing.
bool is_unasked(const RequestHead& head) {
  if (!head.all("Origin").empty()) return false;
  const Values authorizations = head.all("Authorization");
  return std::any_of(authorizations.begin(), authorizations.end(), [](std::string_view authorization) {
    const auto credentials = parse_credentials(authorization);
    return credentials && credentials->scheme == Credentials::Scheme::basic;
  });
}

bool is_json(const RequestHead& head) {
  const Values types = head.all("Content-Type");
  if (types.size() != 1) return false;
  std::string_view type = types.front().substr(0, types.front().find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return equal_in_any_case(type, "application/json");
}

}  // namespace

std::optional<Response> refuse_foreign_page(const RequestHead& head, const Router::Route& route) {
  if (route.method != Method::post) return std::nullopt;
  if (!is_same_origin(head) || is_unasked(head)) {
    return error_response(403, "only the page itself, or a bearer of the token, may change anything");
  }
  if (route.options.json && !is_json(head)) {
    return error_response(415, "the body must be application/json");
  }
  return std::nullopt;
}

}  // namespace qdedup::daemon
