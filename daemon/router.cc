#include "daemon/router.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"

namespace qdedup::daemon {
namespace {

namespace http = boost::beast::http;
using Values = std::vector<std::string_view>;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

Headers headers_of(const RequestParser& head) {
  Headers headers;
  for (const auto& field : head.get()) headers.emplace_back(view(field.name_string()), view(field.value()));
  return headers;
}

bool is_http_1_1(const RequestParser& head) { return head.get().version() == 11; }

bool has_sign_in(const std::optional<Authority>& authority) { return authority && authority->has_sign_in(); }

Authority::Sender judge(const Headers& headers, const std::optional<Authority>& authority,
                        const Router::Route* route) {
  const Values hosts = values_of(headers, "Host");
  if (!authority) return {Verdict::misdirected};
  Authority::Sender sender =
      authority->judge(hosts, values_of(headers, "Authorization"), values_of(headers, "Cookie"),
                       route != nullptr && route->options.is_attended);
  const bool is_refused = sender.verdict == Verdict::unauthorised || sender.verdict == Verdict::unavailable;
  const bool is_open = authority->has_sign_in() && route != nullptr && route->options.is_open;
  return is_refused && is_open ? Authority::Sender{Verdict::granted} : sender;
}

std::optional<Response> refuse_sender(Verdict verdict, bool with_sign_in) {
  switch (verdict) {
    case Verdict::granted:
      return std::nullopt;
    case Verdict::bad_host:
      return error_response(400, "one Host header is needed");
    case Verdict::misdirected:
      return error_response(
          421, "this host is not served here: over TCP those of [http] hosts are, on the socket localhost");
    case Verdict::unavailable:
      return error_response(503, unreadable_reviewers);
    case Verdict::unauthorised:
      break;
  }
  Response response =
      with_sign_in ? json_response(401, R"({"error":"nobody is signed in","sign_in":true})")
                   : error_response(401,
                                    "the token is missing or wrong, or the name is empty, longer than 64 "
                                    "bytes or has control or format characters");
  if (!with_sign_in)
    response.headers.emplace_back("WWW-Authenticate", R"(Basic realm="qdedup", charset="UTF-8")");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

std::function<std::optional<Response>()> refusal_by_now(std::function<Verdict()> by_now, bool with_sign_in) {
  if (!by_now) return {};
  return [by_now = std::move(by_now), with_sign_in] { return refuse_sender(by_now(), with_sign_in); };
}

Response refuse_method(std::string allow) {
  if (allow.empty()) return error_response(404, "no such path");
  Response response = error_response(405, "this path has other methods: " + allow);
  response.headers.emplace_back("Allow", std::move(allow));
  return response;
}

bool is_same_origin(const Headers& headers, const std::string& public_url) {
  const Values sites = values_of(headers, "Sec-Fetch-Site");
  const bool same_site =
      std::all_of(sites.begin(), sites.end(), [](std::string_view site) { return site == "same-origin"; });
  const Values origins = values_of(headers, "Origin");
  const Values hosts = values_of(headers, "Host");
  if (origins.empty() || !same_site) return same_site;
  if (origins.size() != 1 || hosts.size() != 1) return false;
  return equal_in_any_case(origins.front(), origin_at(hosts.front(), public_url));
}

// Whether a browser may have sent it, with credentials that it adds on its own.
bool is_unasked(const Headers& headers, Peer::Kind peer) {
  if (peer == Peer::Kind::unix_socket || !values_of(headers, "Origin").empty()) return false;
  const std::optional<Credentials> credentials = credentials_in(values_of(headers, "Authorization"));
  return !credentials || credentials->scheme != Credentials::Scheme::bearer;
}

bool is_json(const Headers& headers) {
  const Values types = values_of(headers, "Content-Type");
  if (types.size() != 1) return false;
  std::string_view type = types.front().substr(0, types.front().find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return equal_in_any_case(type, "application/json");
}

// Whether a page of another site asks, other than by navigating there.
bool is_asked_by_another_site(const Headers& headers) {
  const Values sites = values_of(headers, "Sec-Fetch-Site");
  const Values modes = values_of(headers, "Sec-Fetch-Mode");
  const bool is_link = modes.size() == 1 && modes.front() == "navigate";
  return !is_link && std::any_of(sites.begin(), sites.end(), [](std::string_view site) {
    return site == "cross-site" || site == "same-site";
  });
}

std::optional<Response> refuse_foreign_page(const Headers& headers, const Router::Route& route,
                                            Peer::Kind peer, const std::optional<Authority>& authority) {
  const bool is_proxied = peer == Peer::Kind::tcp && authority;
  const bool is_own = is_same_origin(headers, is_proxied ? authority->public_url() : "");
  if (route.method != http::verb::post) {
    const bool names_another = !is_own && !values_of(headers, "Origin").empty();
    if (!names_another && !is_asked_by_another_site(headers)) return std::nullopt;
    return error_response(403, "only the page itself, or a program, may ask for this");
  }
  if (!is_own || is_unasked(headers, peer)) {
    return error_response(403, "only the page itself, or a bearer of the token, may change anything");
  }
  if (route.options.json && !is_json(headers)) {
    return error_response(415, "the body must be application/json");
  }
  return std::nullopt;
}

// Rejects anything that two parsers could take for bodies of different lengths, even where the standard
// allows it.
std::optional<Response> refuse_body(const RequestParser& head, const Headers& headers, std::size_t limit) {
  const Values lengths = values_of(headers, "Content-Length");
  const bool one_number =
      lengths.empty() || (lengths.size() == 1 && std::ranges::all_of(lengths.front(), is_digit));
  if (!one_number) return error_response(400, "Content-Length is one number");
  const Values codings = values_of(headers, "Transfer-Encoding");
  const bool understood = codings.empty() || (is_http_1_1(head) && head.chunked() && codings.size() == 1 &&
                                              equal_in_any_case(codings.front(), "chunked"));
  if (!understood) return error_response(400, "only the transfer coding 'chunked' is known");
  if (head.content_length().value_or(0) > limit || (!head.is_done() && limit == 0)) {
    return error_response(413, "the body is too long");
  }
  return std::nullopt;
}

}  // namespace

void Router::get(std::string path, Handler handler, RouteOptions options) {
  options.body_bytes = 0;
  routes_.push_back({std::move(path), http::verb::get, std::move(handler), options});
}

void Router::post(std::string path, Handler handler, RouteOptions options) {
  routes_.push_back({std::move(path), http::verb::post, std::move(handler), options});
}

const Router::Route* Router::find(http::verb method, std::string_view path) const {
  if (method == http::verb::head) method = http::verb::get;
  const Route* folder = nullptr;
  for (const Route& route : routes_) {
    if (route.method != method) continue;
    if (route.path == path) return &route;
    const std::string_view pattern = route.path;
    if (pattern.ends_with("/*") && path.starts_with(pattern.substr(0, pattern.size() - 1))) folder = &route;
  }
  return folder;
}

std::string Router::allow(std::string_view path) const {
  std::string methods;
  if (find(http::verb::get, path) != nullptr) methods = "GET, HEAD";
  if (find(http::verb::post, path) != nullptr) methods += methods.empty() ? "POST" : ", POST";
  return methods;
}

std::variant<AcceptedRequest, Response> check_request(const RequestParser& head, Peer::Kind peer,
                                                      const Router& router,
                                                      const std::optional<Authority>& authority) {
  Headers headers = headers_of(head);
  std::optional<RequestTarget> target = RequestTarget::parse(view(head.get().target()));
  const http::verb method = head.get().method();
  const Router::Route* route = target ? router.find(method, target->path) : nullptr;
  const bool is_local = peer == Peer::Kind::unix_socket;
  Authority::Sender sender =
      is_local ? Authority::Sender{judge_local_host(values_of(headers, "Host"), is_http_1_1(head))}
               : judge(headers, authority, route);
  if (auto refusal = refuse_sender(sender.verdict, has_sign_in(authority))) return *std::move(refusal);

  if (!target) return error_response(400, "not a path");
  if (route == nullptr) return refuse_method(router.allow(target->path));
  if (auto refusal = refuse_foreign_page(headers, *route, peer, authority)) return *std::move(refusal);
  if (auto refusal = refuse_body(head, headers, route->options.body_bytes)) return *std::move(refusal);
  return AcceptedRequest{
      .head_only = method == http::verb::head,
      .route = route,
      .request = {.target = *std::move(target),
                  .headers = std::move(headers),
                  .reviewer = std::move(sender.reviewer),
                  .refusal = refusal_by_now(std::move(sender.by_now), has_sign_in(authority))}};
}

}  // namespace qdedup::daemon
