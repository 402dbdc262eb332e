#include "daemon/request_check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::daemon {
namespace {

using Values = std::vector<std::string_view>;

Verdict judge(const RequestHead& head, Peer::Kind peer, const std::optional<Authority>& authority) {
  const Values hosts = head.all("Host");
  if (peer == Peer::Kind::unix_socket) return judge_local_host(hosts, head.http_1_1);
  if (!authority) return Verdict::misdirected;
  return authority->judge(hosts, head.all("Authorization"));
}

std::optional<Response> refuse_sender(Verdict verdict) {
  switch (verdict) {
    case Verdict::granted:
      return std::nullopt;
    case Verdict::bad_host:
      return error_response(400, "one Host header is needed");
    case Verdict::misdirected:
      return error_response(421, "this host is not served here");
    case Verdict::unauthorised:
      break;
  }
  Response response = error_response(401, "the token is missing or wrong");
  response.headers.emplace_back("WWW-Authenticate", R"(Basic realm="qdedup", charset="UTF-8")");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

std::optional<Method> method_of(std::string_view name) {
  if (name == "GET" || name == "HEAD") return Method::get;
  if (name == "POST") return Method::post;
  return std::nullopt;
}

Response refuse_method(std::string allow) {
  if (allow.empty()) return error_response(404, "no such path");
  Response response = error_response(405, "this path has other methods: " + allow);
  response.headers.emplace_back("Allow", std::move(allow));
  return response;
}

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

// Whether a browser may have added the credentials by itself.
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

// What two readers could take for bodies of different lengths is refused, even where the standard allows it.
std::optional<Response> refuse_body(const RequestHead& head, std::size_t limit) {
  const Values lengths = head.all("Content-Length");
  const bool one_number =
      lengths.empty() || (lengths.size() == 1 && std::ranges::all_of(lengths.front(), is_digit));
  if (!one_number) return error_response(400, "Content-Length is one number");
  const Values codings = head.all("Transfer-Encoding");
  const bool understood = codings.empty() || (head.http_1_1 && head.chunked && codings.size() == 1 &&
                                              equal_in_any_case(codings.front(), "chunked"));
  if (!understood) return error_response(400, "only the transfer coding 'chunked' is known");
  if (head.content_length > limit || (head.has_body && limit == 0)) {
    return error_response(413, "the body is too long");
  }
  return std::nullopt;
}

}  // namespace

std::variant<AcceptedRequest, Response> check_request(const RequestHead& head, Peer::Kind peer,
                                                      const Router& router,
                                                      const std::optional<Authority>& authority) {
  if (std::optional<Response> refusal = refuse_sender(judge(head, peer, authority)))
    return std::move(*refusal);

  std::optional<RequestTarget> target = RequestTarget::parse(head.target);
  if (!target) return error_response(400, "not a path");
  const std::optional<Method> method = method_of(head.method);
  const Router::Route* route = method ? router.find(*method, target->path) : nullptr;
  if (route == nullptr) return refuse_method(router.allow(target->path));

  if (std::optional<Response> refusal = refuse_foreign_page(head, *route)) return std::move(*refusal);
  if (std::optional<Response> refusal = refuse_body(head, route->options.body_bytes))
    return std::move(*refusal);
  return AcceptedRequest{
      .method = *method, .head_only = head.method == "HEAD", .target = std::move(*target), .route = route};
}

}  // namespace qdedup::daemon
