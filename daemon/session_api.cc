#include "daemon/session_api.h"

#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "daemon/authority.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t max_sign_in_bytes = 4096;

Response with_cookie(Response response, const std::string& origin, std::string_view id) {
  response.headers.emplace_back("Set-Cookie", set_session_cookie(origin, id));
  return response;
}

Response begin_session(SignIn& sign_in, const std::string& body, const std::string& origin) {
  const nlohmann::json json = parse_json(body);
  const std::string* name = string_at(json, "name");
  const std::string* key = string_at(json, "key");
  if (name == nullptr || key == nullptr)
    return error_response(400, R"(the body must be {"name":"…","key":"…"})");
  const Result<std::optional<std::string>> id = sign_in.begin(*name, *key);
  if (!id.ok()) return error_response(503, id.error().message);
  if (!*id) return error_response(401, "the name or the key is wrong");
  return with_cookie(json_response(200, "{}"), origin, **id);
}

Response end_session(SignIn& sign_in, const Request& request, const std::string& origin) {
  const auto id = cookie_named(values_of(request.headers, "Cookie"), session_cookie(origin));
  if (id) sign_in.end(*id);
  return with_cookie(json_response(200, "{}"), origin, "");
}

}  // namespace

void add_session_routes(Router& router, const std::function<SignInPlace()>& place) {
  using Answer = std::function<Response(SignIn & sign_in, const Request& request, const std::string& origin)>;
  const auto post = [&](const char* path, Answer answer) {
    router.post(path,
                [place, answer = std::move(answer)](const Request& request, const Responder& responder) {
                  const auto [sign_in, public_url] = place();
                  const auto hosts = values_of(request.headers, "Host");
                  if (!sign_in || request.peer.kind != Peer::Kind::tcp || hosts.empty())
                    return responder->send(error_response(404, "nobody signs in here"));
                  responder->send(answer(*sign_in, request, origin_at(hosts.front(), public_url)));
                },
                {.body_bytes = max_sign_in_bytes, .json = true, .is_open = true});
  };
  post("/api/session", [](SignIn& sign_in, const Request& request, const std::string& origin) {
    return begin_session(sign_in, request.body, origin);
  });
  post("/api/session/end", end_session);
}

}  // namespace qdedup::daemon
