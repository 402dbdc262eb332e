#include "daemon/request_check.h"

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/daemon_client.h"
#include "daemon/browser_check.h"

namespace qdedup::daemon {
namespace {

Verdict judge(const RequestHead& head, Peer::Kind peer, const HttpSite& site) {
  const std::vector<std::string_view> hosts = head.all("Host");
  if (peer == Peer::Kind::unix_socket) return judge_local_host(hosts, head.http_1_1);
  if (!site.authority) return Verdict::misdirected;
  return site.authority->judge(hosts, head.all("Authorization"));
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

std::optional<Response> refuse_body(const RequestHead& head, std::size_t limit) {
  if (!head.chunked && !head.all("Transfer-Encoding").empty()) {
    return error_response(400, "only the transfer coding 'chunked' is known");
  }
  if (head.content_length > limit || (head.has_body && limit == 0)) {
    return error_response(413, "the body is too long");
  }
  return std::nullopt;
}

// None: not a count.
std::optional<std::size_t> descriptor_count(const RequestHead& head) {
  const std::vector<std::string_view> values = head.all(cli::descriptor_count_header);
  if (values.empty()) return 0;
  std::size_t count = 0;
  const std::string_view text = values.front();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (values.size() > 1 || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

}  // namespace

std::variant<AcceptedRequest, Response> check_request(const RequestHead& head, Peer::Kind peer,
                                                      const HttpSite& site) {
  if (std::optional<Response> refusal = refuse_sender(judge(head, peer, site))) return std::move(*refusal);

  std::optional<RequestTarget> target = RequestTarget::parse(head.target);
  if (!target) return error_response(400, "not a path");
  const std::optional<Method> method = method_of(head.method);
  const Router::Route* route = method ? site.router.find(*method, target->path) : nullptr;
  if (route == nullptr) return refuse_method(site.router.allow(target->path));

  if (std::optional<Response> refusal = refuse_foreign_page(head, *route)) return std::move(*refusal);
  if (std::optional<Response> refusal = refuse_body(head, route->options.body_bytes))
    return std::move(*refusal);
  const std::optional<std::size_t> descriptors = descriptor_count(head);
  if (!descriptors) return error_response(400, "not a count of descriptors");
  return AcceptedRequest{.method = *method,
                         .head_only = head.method == "HEAD",
                         .target = std::move(*target),
                         .route = route,
                         .descriptors = *descriptors};
}

}  // namespace qdedup::daemon
