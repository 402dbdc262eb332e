#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "base/user_name.h"
#include "daemon/api.h"
#include "daemon/authority.h"
#include "daemon/open_requests.h"
#include "page/classes.h"
#include "page/replies.h"
#include "web/web_files.h"

namespace qdedup::daemon {
namespace {

using Look = std::function<page::Reply(page::Reading& reading, const Request& request)>;
using Change =
    std::function<page::Reply(const Request& request, const ApiContext& context, const db::Decider& decider)>;

constexpr std::size_t max_decision_bytes = std::size_t{256} * 1024;

std::uint64_t new_seed() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | random();
}

void send(const Responder& responder, page::Reply reply) {
  Response response = json_response(reply.status, std::move(reply.json));
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  responder->send(std::move(response));
}

Handler reads(const ApiContext& context, Look look) {
  return [context, look = std::move(look)](const Request& request, const Responder& responder) {
    respond_on_readers(context, "review page", request, responder,
                       [folder = context.folder, contrast = context.settings().contrast,
                        image_url = context.settings().review.image_url, look, responder, request] {
                         Result<page::Reading> state = page::Reading::open(folder, contrast, image_url);
                         send(responder, state.ok() ? look(*state, request) : page::Reply(state.error()));
                       });
  };
}

// A page names its reviewer with what it changes: meanwhile somebody else may have signed in, in another
// window.
bool is_meant_by(const db::Decider& decider, const Request& request) {
  const auto is_named = [](const auto& parameter) { return parameter.first == "as"; };
  const auto named = std::ranges::find_if(request.target.query, is_named);
  return named == request.target.query.end() || named->second == db::display_name(decider);
}

Handler changes(const ApiContext& context, std::shared_ptr<OpenRequests> open, Change change) {
  return [context, open = std::move(open), change = std::move(change)](Request request,
                                                                       const Responder& responder) {
    if (!open->admit(request, responder)) return;
    respond_on(context.worker, "review", responder,
               [context, change, responder, request = std::move(request)] {
                 if (auto refusal = request.refusal_by_now()) return responder->send(*std::move(refusal));
                 const db::Decider decider = reviewer_of(request, context.clock);
                 page::Reply reply(409, {{"error", "somebody else is signed in by now"}, {"sign_in", true}});
                 if (is_meant_by(decider, request)) reply = change(request, context, decider);
                 if (!reply.done.empty())
                   context.log->info("review page of {}: {}", escaped(db::display_name(decider)), reply.done);
                 send(responder, std::move(reply));
               });
  };
}

// Who asks, and what the page has to know of the daemon.
void tell_who(const ApiContext& context, const Request& request, const Responder& responder) {
  respond_on_readers(
      context, "review page", request, responder,
      [&clock = context.clock, zone = context.settings().schedule.time_zone, request, responder] {
        send(responder, {200,
                         {{"name", db::display_name(reviewer_of(request, clock))},
                          {"signed_in", request.reviewer},
                          {"time_zone", zone}}});
      });
}

void add_looks(Router& router, const ApiContext& context) {
  const auto serve = [&](const char* path, Handler handler) {
    router.get(std::string("/api/review/") + path, on_sound_state(context.state, std::move(handler)));
  };
  const auto get = [&](const char* path, Look look) { serve(path, reads(context, std::move(look))); };
  const auto get_by_query = [&](const char* path,
                                page::Reply (*reply)(page::Reading&, const page::Parameters&)) {
    get(path, [reply](page::Reading& reading, const Request& request) {
      return reply(reading, request.target.query);
    });
  };
  get_by_query("queue", page::queue_reply);
  get_by_query("facets", page::facets_reply);
  get_by_query("evidence", page::evidence_reply);
  get_by_query("sample", page::sample_reply);
  get_by_query("batch", page::preview_batch);
  get_by_query("search", page::search_reply);
  get_by_query("classes", page::classes_reply);
  get_by_query("class", page::class_reply);
  get("own-counts", [&clock = context.clock](page::Reading& reading, const Request& request) {
    return page::own_counts_reply(reading, request.target.query, reviewer_of(request, clock));
  });
  get("dashboard", [](page::Reading& reading, const Request&) { return page::dashboard_reply(reading); });
  get("samples", [](page::Reading& reading, const Request&) { return page::samples_reply(reading); });
  serve("me", std::bind_front(tell_who, context));
}

void add_changes(Router& router, const ApiContext& context) {
  const auto open = std::make_shared<OpenRequests>(decision_limits);
  const auto post = [&](const char* path, Change change) {
    router.post(std::string("/api/review/") + path,
                on_sound_state(context.state, changes(context, open, std::move(change))),
                {.body_bytes = max_decision_bytes, .json = true});
  };
  post("decisions", [](const Request& request, const ApiContext& with, const db::Decider& decider) {
    return page::take_decisions(request.body, with.folder, with.state->store, decider);
  });
  post("batch", [](const Request& request, const ApiContext& with, const db::Decider& decider) {
    return page::approve_batch(request.body, with.folder, with.state->store, decider,
                               with.worker.on_activity());
  });
  post("samples", [](const Request& request, const ApiContext& with, const db::Decider& decider) {
    return page::draw_sample(request.body, with.folder, with.state->store, decider, new_seed(),
                             with.worker.on_activity());
  });
  post("judgements", [](const Request& request, const ApiContext& with, const db::Decider& decider) {
    return page::judge(request.body, with.state->store, decider);
  });
}

// `images` is an origin, or empty.
std::string policy(const std::string& images) {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'" +
         (images.empty() ? "" : " " + images) +
         "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

// A browser keeps the policy with the file, so the tag names what is in it.
Response file_response(const web::WebFile& file, const std::string& images, const Request& request) {
  const std::string tag = std::string(file.tag.substr(0, file.tag.size() - 1)) + images + '"';
  const auto tags = values_of(request.headers, "If-None-Match");
  const bool known = !tags.empty() && tags.front() == tag;
  return {.status = known ? 304U : 200U,
          .content_type = std::string(file.type),
          .body = known ? std::string() : std::string(file.content),
          .headers = {{"ETag", tag},
                      {"Cache-Control", "no-cache"},
                      {"Content-Security-Policy", policy(images)},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"}}};
}

}  // namespace

void add_page_routes(Router& router, const ApiContext& context) {
  add_page_files(router, [context] { return context.settings().review.image_url; });
  add_looks(router, context);
  add_changes(router, context);
}

void add_page_files(Router& router, const std::function<std::string()>& image_url) {
  for (const web::WebFile& file : web::web_files()) {
    const Handler serve = [&file, image_url](const Request& request, const Responder& responder) {
      const Result<std::string> origin = config::origin_of_image_url(image_url());
      responder->send(file_response(file, origin.ok() ? *origin : "", request));
    };
    router.get("/" + std::string(file.name), serve, {.is_open = true});
    if (file.name == "index.html") router.get("/", serve, {.is_open = true});
  }
}

db::Decider reviewer_of(const Request& request, const Clock& clock) {
  const std::string now = timestamp(clock.now());
  if (request.peer.kind == Peer::Kind::unix_socket) return {unix_user(request.peer.user), now};
  if (!request.reviewer.empty()) return {signed_in_user(request.reviewer), now, request.reviewer};
  const auto credentials = credentials_in(values_of(request.headers, "Authorization"));
  return {"token", now, credentials ? credentials->user : ""};
}

}  // namespace qdedup::daemon
