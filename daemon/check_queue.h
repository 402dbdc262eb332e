#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/result.h"
#include "daemon/responder.h"
#include "iteration/question_check.h"
#include "refine/duplicate_test.h"

namespace qdedup::daemon {

// Answers requests to check questions. Those that come while others are being answered are answered together,
// as one reading of the bank serves any number of questions. In the order in which they came; any thread.
class CheckQueue : public std::enable_shared_from_this<CheckQueue> {
 public:
  using Outcomes = Result<std::vector<iteration::CheckOutcome>>;
  using Check = std::function<Outcomes(std::span<const iteration::AskedQuestion> questions,
                                       const refine::DuplicateSettings& settings)>;
  // Runs a function later, on the thread that checks.
  using Post = std::function<void(std::function<void()>)>;

  CheckQueue(Post post, Check check) : post_(std::move(post)), check_(std::move(check)) {}

  // By the newest settings of those that wait. 503 when too many do, so that connections are left for others.
  void take(std::vector<iteration::AskedQuestion> questions, const refine::DuplicateSettings& settings,
            const Responder& responder);

 private:
  struct Waiting {
    std::vector<iteration::AskedQuestion> questions;
    Responder responder;
  };

  void answer_all();
  void refuse_all(const Response& response);
  void answer(const std::vector<Waiting>& requests, const refine::DuplicateSettings& settings);
  Outcomes checked(std::span<const iteration::AskedQuestion> questions,
                   const refine::DuplicateSettings& settings) const;
  void make_room();

  Post post_;
  Check check_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;
  std::size_t waiting_questions_ = 0;
  std::size_t checked_requests_ = 0;  // at this moment
  refine::DuplicateSettings settings_;
};

}  // namespace qdedup::daemon
