#include "daemon/check_api.h"

#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>

#include "cli/checked_questions.h"
#include "cli/question_class_json.h"
#include "daemon/answering.h"
#include "daemon/check_queue.h"
#include "daemon/reading_state.h"
#include "daemon/response.h"
#include "db/store.h"
#include "import/fields.h"
#include "review/question_class.h"

namespace qdedup::daemon {
namespace {

constexpr std::string_view similar_path = "/v1/similar/";
constexpr std::size_t most_check_bytes = std::size_t{4} * 1024 * 1024;

// Looks at the state through connections of its own.
template <class Look>
auto looked_at(const db::StateFolder& folder, const Look& look)
    -> decltype(look(std::declval<db::Store&>(), std::declval<db::Bank&>())) {
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_only);
  if (!bank.ok()) return std::move(bank).error();
  return look(*store, *bank);
}

std::shared_ptr<CheckQueue> checking_queue(const CheckSources& sources) {
  return std::make_shared<CheckQueue>(
      [&checkers = sources.checkers](std::function<void()> answer) {
        boost::asio::post(checkers, std::move(answer));
      },
      [&index = sources.index, state = std::make_shared<ReadingState>(sources.folder)](
          std::span<const iteration::AskedQuestion> questions,
          const refine::DuplicateSettings& settings) -> CheckQueue::Outcomes {
        QDEDUP_TRY(state->open());
        CheckQueue::Outcomes outcomes = iteration::check_questions(
            questions, state->store(), state->bank(), settings, index.of(state->bank_file()).get());
        if (!outcomes.ok()) state->close();
        return outcomes;
      });
}

std::shared_ptr<CheckQueue> adding_queue(const CheckSources& sources) {
  return std::make_shared<CheckQueue>(
      [&worker = sources.worker](std::function<void()> answer) {
        worker.post({"check", [answer = std::move(answer)](Heartbeat&) { answer(); }});
      },
      [sources, opened = identity_of(sources.folder.bank_path())](
          std::span<const iteration::AskedQuestion> questions,
          const refine::DuplicateSettings& settings) -> CheckQueue::Outcomes {
        Result<db::Store> store = db::Store::open(sources.folder, db::Access::read_only);
        if (!store.ok()) return std::move(store).error();
        store->on_activity(sources.worker.on_activity());
        const std::shared_ptr<iteration::BankIndex> index =
            identity_of(sources.folder.bank_path()) == opened ? sources.index.of(opened) : nullptr;
        return iteration::add_new_questions(questions, *store, sources.state->bank, settings, sources.clock,
                                            index.get());
      });
}

Response similar_response(const db::StateFolder& folder, QuestionId question) {
  const Result<review::QuestionClass> found = looked_at(
      folder, [&](db::Store& store, db::Bank& bank) { return review::class_of(question, store, bank); });
  if (found.ok()) return json_response(200, cli::question_class_json(question, *found).dump() + '\n');
  return error_response(found.error().code == ErrorCode::no_input ? 404 : 503, found.error().message);
}

}  // namespace

void add_check_routes(Router& router, const CheckSources& sources) {
  router.post(
      "/v1/check",
      [sources, checking = checking_queue(sources), adding = adding_queue(sources)](
          const Request& request, const Responder& responder) {
        answer_on(sources.readers, responder,
                  [body = request.body, settings = sources.settings(), checking, adding, responder] {
                    Result<cli::CheckRequest> asked = cli::parse_check_request(body);
                    if (!asked.ok()) return responder.send(error_response(400, asked.error().message));
                    (asked->add ? adding : checking)->take(std::move(asked->questions), settings, responder);
                  });
      },
      {.body_bytes = most_check_bytes, .json = true});
  router.get(std::string(similar_path) + "*", [sources](const Request& request, const Responder& responder) {
    const std::optional<QuestionId> id =
        import::parse_id(std::string_view(request.path).substr(similar_path.size()));
    if (!id || *id < min_question_id || *id > max_question_id) {
      return responder.send(error_response(400, "an id is a whole number from 1 to 2^63-1"));
    }
    answer_on(sources.readers, responder, [folder = sources.folder, question = *id, responder] {
      responder.send(similar_response(folder, question));
    });
  });
}

}  // namespace qdedup::daemon
