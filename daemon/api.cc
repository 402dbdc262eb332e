#include "daemon/api.h"

#include <utility>

#include "cli/handed_command.h"
#include "daemon/answering.h"
#include "daemon/figures.h"
#include "daemon/metrics.h"
#include "daemon/response.h"

namespace qdedup::daemon {
namespace {

void answer_health(const ApiSources& sources, const Responder& responder) {
  const std::string trouble = trouble_of(sources.status());
  responder.send(trouble.empty() ? text_response(200, "ok\n") : text_response(503, trouble));
}

void answer_metrics(const ApiSources& sources, const Responder& responder) {
  answer_on(sources.readers, responder, [folder = sources.folder, status = sources.status(), responder] {
    const Result<Metrics> metrics = figures_of(folder, status);
    if (!metrics.ok()) return responder.send(error_response(503, metrics.error().message));
    Response response = text_response(200, metrics_text(*metrics));
    response.content_type = metrics_content_type;
    responder.send(std::move(response));
  });
}

}  // namespace

Router api_routes(const ApiSources& sources) {
  Router router;
  router.get("/healthz",
             [sources](const Request&, const Responder& responder) { answer_health(sources, responder); });
  router.get("/metrics",
             [sources](const Request&, const Responder& responder) { answer_metrics(sources, responder); });
  router.get("/api/status", [sources](const Request&, const Responder& responder) {
    responder.send(json_response(200, json_of(sources.status()) + '\n'));
  });
  router.post(cli::handed_command_path, [sources](Request request, const Responder& responder) {
    if (request.peer.kind != Peer::Kind::unix_socket) {
      return responder.send(error_response(403, "commands are taken on the unix socket only"));
    }
    sources.command(std::move(request), responder);
  });
  return router;
}

}  // namespace qdedup::daemon
