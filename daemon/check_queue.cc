#include "daemon/check_queue.h"

#include <exception>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/checked_questions.h"
#include "daemon/response.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t most_waiting_questions = 20'000;
// With those that are being checked: two queues, and the commands that may wait (daemon/handed_commands),
// leave some of the HttpLimits::connections.
constexpr std::size_t most_requests = 16;

unsigned status_of(const Error& error) { return error.code == ErrorCode::internal ? 500 : 503; }

}  // namespace

void CheckQueue::take(std::vector<iteration::AskedQuestion> questions,
                      const refine::DuplicateSettings& settings, const Responder& responder) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() + checked_requests_ < most_requests &&
        waiting_questions_ + questions.size() <= most_waiting_questions) {
      const std::size_t count = questions.size();
      first = waiting_.empty();
      waiting_.push_back({std::move(questions), responder});
      waiting_questions_ += count;
      settings_ = settings;
    } else {
      responder.send(error_response(503, "too many questions wait to be checked; try again later"));
    }
  }
  if (!first) return;
  try {
    post_([self = shared_from_this()] { self->answer_all(); });
  } catch (const std::exception& exception) {
    refuse_all(error_response(503, std::string("cannot be checked now: ") + exception.what()));
  }
}

// Nobody else would answer them: the next request would take it that it is not the first.
void CheckQueue::refuse_all(const Response& response) {
  std::vector<Waiting> requests;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(waiting_);
    waiting_questions_ = 0;
  }
  for (const Waiting& request : requests) request.responder.send(response);
}

void CheckQueue::answer_all() {
  std::vector<Waiting> requests;
  refine::DuplicateSettings settings;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(waiting_);
    waiting_questions_ = 0;
    checked_requests_ = requests.size();
    settings = settings_;
  }
  std::erase_if(requests, [](const Waiting& request) { return request.responder.gone(); });
  try {
    answer(requests, settings);
  } catch (const std::exception& exception) {
    make_room();
    for (const Waiting& request : requests)
      request.responder.send(error_response(500, std::string("internal error: ") + exception.what()));
  }
}

void CheckQueue::answer(const std::vector<Waiting>& requests, const refine::DuplicateSettings& settings) {
  std::vector<iteration::AskedQuestion> questions;
  for (const Waiting& request : requests)
    questions.insert(questions.end(), request.questions.begin(), request.questions.end());
  const Outcomes outcomes = checked(questions, settings);
  make_room();  // before a client that has its answer asks again
  std::size_t begin = 0;
  for (const Waiting& request : requests) {
    const std::size_t count = request.questions.size();
    if (outcomes.ok()) {
      const auto own = std::span(*outcomes).subspan(begin, count);
      request.responder.send(
          json_response(200, cli::check_outcomes_json(request.questions, own).dump() + '\n'));
    } else {
      request.responder.send(error_response(status_of(outcomes.error()), outcomes.error().message));
    }
    begin += count;
  }
}

// The bank is not read for nothing.
CheckQueue::Outcomes CheckQueue::checked(std::span<const iteration::AskedQuestion> questions,
                                         const refine::DuplicateSettings& settings) const {
  if (questions.empty()) return std::vector<iteration::CheckOutcome>();
  return check_(questions, settings);
}

void CheckQueue::make_room() {
  const std::lock_guard lock(mutex_);
  checked_requests_ = 0;
}

}  // namespace qdedup::daemon
