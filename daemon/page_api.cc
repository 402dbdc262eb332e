#include "daemon/page_api.h"

#include <exception>
#include <random>
#include <string>
#include <utility>

#include "base/version.h"
#include "daemon/answering.h"
#include "daemon/page_files.h"
#include "daemon/response.h"
#include "daemon/reviewer.h"
#include "page/batch.h"
#include "page/blind_sample.h"
#include "page/dashboard.h"
#include "page/decisions.h"
#include "page/evidence.h"
#include "page/pair_json.h"
#include "page/queue.h"

namespace qdedup::daemon {
namespace {

using Look = std::function<page::Answer(page::Reading& reading, const Request& request)>;
using Change = std::function<page::Answer(const Request& request, const PageSources& sources,
                                          const db::Decider& decider)>;

// As for the commands that are handed over: there must be connections left for questions.
constexpr std::size_t most_decisions_waiting = 16;
constexpr std::size_t most_decision_bytes = std::size_t{256} * 1024;

std::uint64_t new_seed() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | random();
}

// A handler's thread must not end with an exception of a library.
template <class Make>
page::Answer answered(Make make) {
  try {
    return make();
  } catch (const std::exception& exception) {
    return page::refusal({ErrorCode::internal, std::string("internal error: ") + exception.what()});
  }
}

void send(const Responder& responder, page::Answer answer) {
  Response response = json_response(answer.status, std::move(answer.json) + '\n');
  response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  responder.send(std::move(response));
}

page::Answer looked(const db::StateFolder& folder, const Look& look, const Request& request) {
  Result<page::Reading> reading = page::Reading::open(folder);
  return reading.ok() ? look(*reading, request) : page::refusal(reading.error());
}

// Requests hold descriptors and cannot be copied, which posted functions must be.
Handler reads(const PageSources& sources, Look look) {
  return [&readers = sources.readers, folder = sources.folder, look = std::move(look)](
             Request request, const Responder& responder) {
    answer_on(readers, responder,
              [folder, look, responder, asked = std::make_shared<Request>(std::move(request))] {
                send(responder, answered([&] { return looked(folder, look, *asked); }));
              });
  };
}

Handler changes(const PageSources& sources, Change change) {
  return [sources, change = std::move(change)](Request request, const Responder& responder) {
    if (sources.worker.waiting() >= most_decisions_waiting) {
      return responder.send(error_response(503, "too much is to be done; try again later"));
    }
    sources.worker.post({"review", [sources, change, responder,
                                    asked = std::make_shared<Request>(std::move(request))](Heartbeat&) {
                           if (responder.gone()) return;
                           const db::Decider decider = {reviewer_of(*asked), timestamp(sources.clock.now())};
                           send(responder, answered([&] { return change(*asked, sources, decider); }));
                         }});
  };
}

void add_looks(Router& router, const PageSources& sources) {
  const auto get = [&](const char* path, Look look) {
    router.get(std::string("/api/review/") + path, reads(sources, std::move(look)));
  };
  get("me", [](page::Reading&, const Request& request) {
    return page::Answer{200, page::dumped({{"name", reviewer_of(request)}, {"version", program_version()}})};
  });
  get("queue", [](page::Reading& reading, const Request& request) {
    return page::queue_answer(reading, request.query);
  });
  get("facets", [](page::Reading& reading, const Request& request) {
    return page::facets_answer(reading, request.query);
  });
  get("batch", [](page::Reading& reading, const Request& request) {
    return page::preview_batch(reading, request.query, new_seed());
  });
  get("evidence", [](page::Reading& reading, const Request& request) {
    return page::evidence_answer(reading, request.query);
  });
  get("dashboard", [](page::Reading& reading, const Request&) { return page::dashboard_answer(reading); });
  get("samples", [](page::Reading& reading, const Request&) { return page::samples_answer(reading); });
  get("sample", [](page::Reading& reading, const Request& request) {
    return page::sample_answer(reading, request.query);
  });
}

void add_changes(Router& router, const PageSources& sources) {
  const auto post = [&](const char* path, Change change) {
    router.post(std::string("/api/review/") + path, changes(sources, std::move(change)),
                {.body_bytes = most_decision_bytes, .json = true});
  };
  post("decisions", [](const Request& request, const PageSources& from, const db::Decider& decider) {
    return page::take_decisions(request.body, from.folder, from.state->store, decider);
  });
  post("batch", [](const Request& request, const PageSources& from, const db::Decider& decider) {
    return page::approve_batch(request.body, from.folder, from.state->store, decider,
                               from.worker.on_activity());
  });
  post("samples", [](const Request& request, const PageSources& from, const db::Decider& decider) {
    return page::draw_sample(request.body, from.folder, from.state->store, decider, new_seed());
  });
  post("judgements", [](const Request& request, const PageSources& from, const db::Decider& decider) {
    return page::judge(request.body, from.state->store, decider);
  });
}

}  // namespace

void add_page_routes(Router& router, const PageSources& sources) {
  add_page_files(router);
  add_looks(router, sources);
  add_changes(router, sources);
}

}  // namespace qdedup::daemon
