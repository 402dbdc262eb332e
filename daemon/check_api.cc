#include "daemon/check_api.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "daemon/open_requests.h"
#include "import/question_reader.h"
#include "page/classes.h"
#include "page/question_json.h"
#include "page/request.h"

namespace qdedup::daemon {
namespace {

constexpr std::string_view similar_path = "/v1/similar/";
// The longest texts that are checked together with those of others.
constexpr std::size_t max_shared_text_bytes = 8192;
constexpr std::size_t max_check_bytes = std::size_t{4} * 1024 * 1024;
// Holds the upper levels of the tree for a bank of tens of millions.
constexpr std::size_t cached_bank_bytes = std::size_t{32} << 20U;

Response state_trouble(const Error& error) {
  return error_response(page::http_status(page::state_trouble(error).code), error.message);
}

iteration::GoOn beating(Worker& worker, const iteration::GoOn& go_on) {
  return [&] {
    worker.beat(db::Activity::step);
    return go_on();
  };
}

CheckQueue::Post posting_to(Worker& worker) {
  return [&worker](std::function<void()> serve) {
    worker.post({"check", [serve = std::move(serve)](Heartbeat&) { serve(); }});
  };
}

std::shared_ptr<CheckQueue> checking_queue(const ApiContext& context) {
  return std::make_shared<CheckQueue>(
      posting_to(context.checkers),
      [&checkers = context.checkers, &index = context.index,
       state = std::make_shared<ReadConnections>(context.folder)](
          std::span<const iteration::AskedQuestion> questions, const CheckSettings& settings,
          const iteration::GoOn& go_on) -> CheckQueue::Outcomes {
        QDEDUP_TRY(state->open());
        CheckQueue::Outcomes outcomes =
            iteration::check_questions(questions, state->store(), state->bank(), settings.decisions,
                                       index.of(state->bank_file()).get(), beating(checkers, go_on));
        if (!outcomes.ok()) state->close();
        return outcomes;
      });
}

// Runs on the worker's one thread, so that of two equal questions only one is added.
std::shared_ptr<CheckQueue> adding_queue(const ApiContext& context) {
  return std::make_shared<CheckQueue>(
      posting_to(context.worker),
      [context, opened = identity_of(context.folder.bank_path())](
          std::span<const iteration::AskedQuestion> questions, const CheckSettings& settings,
          const iteration::GoOn& go_on) -> CheckQueue::Outcomes {
        QDEDUP_TRY(context.state->store.held());
        QDEDUP_ASSIGN_OR_RETURN(db::Store store, db::Store::open(context.folder, db::Access::read_only));
        store.on_activity(context.worker.on_activity());
        const std::shared_ptr<iteration::BankIndex> index =
            identity_of(context.folder.bank_path()) == opened ? context.index.of(opened) : nullptr;
        return iteration::add_new_questions(questions, store, context.state->store, context.state->bank,
                                            settings.decisions, settings.text, context.clock, index.get(),
                                            go_on);
      });
}

// Answers with what `find` finds in the state, or that this cannot be opened now.
template <class Find>
void respond_with(const ApiContext& context, const char* job, const Request& request,
                  const Responder& responder, Find find) {
  respond_on_readers(
      context, job, request, responder, [folder = context.folder, responder, find = std::move(find)] {
        ReadConnections state(folder);
        if (const Status opened = state.open(); !opened.ok())
          return responder->send(state_trouble(opened.error()));
        const Result<Json> found = find(state);
        responder->send(found.ok() ? json_response(200, json_text(*found)) : error_response(found.error()));
      });
}

}  // namespace

void add_check_routes(Router& router, const ApiContext& context) {
  const auto check = [context, checking = checking_queue(context), adding = adding_queue(context)](
                         Request request, const Responder& responder) {
    if (!context.checks->admit(request, responder)) return;
    respond_on(context.readers, "check", responder,
               [request = std::move(request), settings = context.settings(), checking, adding, responder] {
                 Result<page::CheckRequest> asked = page::parse_check_request(request.body);
                 if (!asked.ok()) return responder->send(error_response(400, asked.error().message));
                 (asked->add ? adding : checking)
                     ->take(std::move(asked->questions),
                            {{settings.refine, settings.contrast}, settings.text}, responder,
                            request.refusal);
               });
  };
  const auto similar = [context](const Request& request, const Responder& responder) {
    const std::optional<QuestionId> id =
        import::parse_id(std::string_view(request.target.path).substr(similar_path.size()));
    if (!id) return responder->send(error_response(400, "an id is a whole number from 1 to 2^63-1"));
    respond_with(context, "class", request, responder,
                 [question = *id](ReadConnections& state) -> Result<Json> {
                   QDEDUP_ASSIGN_OR_RETURN(const page::QuestionClass found,
                                           page::class_of(question, state.store(), state.bank()));
                   return page::question_class_json(question, found);
                 });
  };
  const auto classes = [context](const Request& request, const Responder& responder) {
    respond_with(context, "classes", request, responder,
                 [parameters = request.target.query](ReadConnections& state) {
                   return page::class_sizes_json(state.store(), parameters);
                 });
  };
  router.post("/v1/check", on_sound_state(context.state, check),
              {.body_bytes = max_check_bytes, .json = true});
  router.get("/v1/classes", on_sound_state(context.state, classes));
  router.get(std::string(similar_path) + "*", on_sound_state(context.state, similar));
}

void CheckQueue::take(std::vector<iteration::AskedQuestion> questions, const CheckSettings& settings,
                      const Responder& responder, std::function<std::optional<Response>()> refusal) {
  std::unique_lock lock(mutex_);
  std::erase_if(waiting_, [](const Waiting& request) { return request.responder->gone(); });
  const bool has_long_text = std::ranges::any_of(questions, [](const iteration::AskedQuestion& question) {
    return question.text.size() > max_shared_text_bytes;
  });
  waiting_.push_back({std::move(questions), responder, has_long_text, std::move(refusal)});
  settings_ = settings;
  const bool was_posted = std::exchange(posted_, true);
  lock.unlock();
  if (!was_posted) post();
}

// What is posted. If it is dropped before it runs, because the worker stops, so are the waiting requests.
struct CheckQueue::Turn {
  std::shared_ptr<CheckQueue> queue;  // null: it has run

  Turn() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (queue) queue->take_all();
  }
};

void CheckQueue::post() {
  std::shared_ptr<Turn> turn;
  try {
    turn = std::make_shared<Turn>();
    turn->queue = shared_from_this();
    post_([turn] { std::exchange(turn->queue, nullptr)->serve_next(); });
  } catch (const std::exception& exception) {
    if (turn) turn->queue.reset();
    // Only the first waiting request posts; without this, the others would wait forever.
    for (const Waiting& request : take_all()) {
      request.responder->send(error_response(503, std::string("cannot be checked now: ") + exception.what()));
    }
  }
}

std::vector<CheckQueue::Waiting> CheckQueue::take_all() {
  const std::lock_guard lock(mutex_);
  posted_ = false;
  return std::exchange(waiting_, {});
}

// Of those whose clients are still there, those that are served together.
std::vector<CheckQueue::Waiting> CheckQueue::take_next() {
  std::erase_if(waiting_, [](const Waiting& request) { return request.responder->gone(); });
  auto last = std::ranges::find_if(waiting_, &Waiting::has_long_text);
  if (last == waiting_.begin() && last != waiting_.end()) ++last;
  std::vector<Waiting> next(std::move_iterator(waiting_.begin()), std::move_iterator(last));
  waiting_.erase(waiting_.begin(), last);
  return next;
}

void CheckQueue::serve_next() {
  std::vector<Waiting> requests;
  CheckSettings settings;
  bool more = false;
  {
    const std::lock_guard lock(mutex_);
    posted_ = false;  // in case of no memory: the next one asked posts again
    requests = take_next();
    more = posted_ = !waiting_.empty();
    settings = settings_;
  }
  if (more) post();
  try {
    serve(requests, settings);
  } catch (const std::exception& exception) {
    for (const Waiting& request : requests)
      request.responder->send(error_response(exception_error(exception)));
  }
}

void CheckQueue::serve(std::vector<Waiting>& requests, const CheckSettings& settings) {
  std::erase_if(requests, [](const Waiting& request) {
    std::optional<Response> refusal = request.refusal ? request.refusal() : std::nullopt;
    if (!refusal) return false;
    request.responder->send(*std::move(refusal));
    return true;
  });
  std::vector<iteration::AskedQuestion> questions;
  for (const Waiting& request : requests)
    questions.insert(questions.end(), request.questions.begin(), request.questions.end());
  // Without questions, the bank need not be read.
  const auto go_on = [&]() -> Status {
    const auto is_gone = [](const Waiting& request) { return request.responder->gone(); };
    if (std::ranges::all_of(requests, is_gone)) return Error{ErrorCode::busy, "nobody waits for it any more"};
    return {};
  };
  const Outcomes outcomes =
      questions.empty() ? std::vector<iteration::CheckOutcome>() : check_(questions, settings, go_on);
  std::size_t begin = 0;
  for (const Waiting& request : requests) {
    const std::size_t count = request.questions.size();
    if (outcomes.ok()) {
      const auto own = std::span(*outcomes).subspan(begin, count);
      request.responder->send(
          json_response(200, json_text(page::check_outcomes_json(request.questions, own))));
    } else {
      request.responder->send(state_trouble(outcomes.error()));
    }
    begin += count;
  }
}

Status ReadConnections::open() {
  const auto store_file = identity_of(folder_.store_path());
  const auto bank_file = identity_of(folder_.bank_path());
  if (store_ && bank_ && store_file == store_file_ && bank_file == bank_file_) return {};
  close();
  QDEDUP_ASSIGN_OR_RETURN(db::Store store, db::Store::open(folder_, db::Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(db::Bank bank, db::Bank::open(folder_, db::Access::read_only));
  QDEDUP_TRY(bank.keep_in_memory(cached_bank_bytes));
  store_.emplace(std::move(store));
  bank_.emplace(std::move(bank));
  store_file_ = store_file;
  bank_file_ = bank_file;
  return {};
}

void ReadConnections::close() {
  store_.reset();
  bank_.reset();
}

}  // namespace qdedup::daemon
