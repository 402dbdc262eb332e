#include "daemon/api.h"

#include <optional>
#include <string>
#include <utility>

#include "daemon/metrics.h"
#include "daemon/open_requests.h"
#include "page/request.h"

namespace qdedup::daemon {
namespace {

Response metrics_response(const db::StateFolder& folder, const std::vector<std::string>& globs,
                          const DaemonStatus& status) {
  std::optional<StoredMetrics> stored;
  if (status.store_trouble.empty()) {
    Result<StoredMetrics> collected = collect_metrics(folder, globs);
    if (!collected.ok()) return error_response(503, collected.error().message);
    stored = *std::move(collected);
  }
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_text(status, stored)};
}

}  // namespace

void add_status_routes(Router& router, const ApiContext& context) {
  router.get("/healthz", [status = context.status](const Request&, const Responder& responder) {
    const std::string trouble = health_trouble(status());
    responder->send(trouble.empty() ? text_response(200, "ok\n") : text_response(503, trouble));
  });
  router.get("/metrics", [context](const Request&, const Responder& responder) {
    respond_on(context.readers, "metrics", responder,
               [folder = context.folder, globs = context.settings().logs.paths, status = context.status(),
                responder] { responder->send(metrics_response(folder, globs, status)); });
  });
  router.get("/api/status",
             [status = context.status](const Request&, const Responder& responder) {
               responder->send(json_response(200, status_json(status())));
             },
             {.is_attended = false});
  router.get(
      "/api/settings", [settings = context.settings](const Request& request, const Responder& responder) {
        if (request.peer.kind != Peer::Kind::unix_socket) {
          return responder->send(error_response(403, "the settings are given on the unix socket only"));
        }
        responder->send(text_response(200, config::dump_settings(settings())));
      });
}

Response error_response(const Error& error) {
  return error_response(page::http_status(error.code), error.message);
}

void respond_on(Worker& worker, std::string job, const Responder& responder, std::function<void()> respond) {
  post_while_there(worker, responder,
                   {std::move(job), [respond = std::move(respond)](Heartbeat&) { respond(); },
                    [responder](const Error& error) { responder->send(error_response(error)); }});
}

void respond_on_readers(const ApiContext& context, std::string job, const Request& request,
                        const Responder& responder, std::function<void()> respond) {
  if (context.reads->admit(request, responder))
    respond_on(context.readers, std::move(job), responder, std::move(respond));
}

Handler on_sound_state(std::shared_ptr<db::WritableState> state, Handler handler) {
  return [state = std::move(state), handler = std::move(handler)](Request request, Responder responder) {
    const Status held = state->store.held();
    if (!held.ok()) return responder->send(error_response(503, held.error().message));
    handler(std::move(request), std::move(responder));
  };
}

}  // namespace qdedup::daemon
