#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "iteration/question_check.h"

namespace qdedup::cli {

// Questions to be checked, as the daemon takes them:
// {"questions":[{"id":1,"text":"…","answer":"…"}],"add":true}, or one such question with "add" beside its
// text. `id` may be missing where nothing is to be added.
struct CheckRequest {
  std::vector<iteration::AskedQuestion> questions;
  bool add = false;
};

inline constexpr std::size_t most_checked_at_once = 1000;

// ErrorCode::data where `body` is none, or has more than most_checked_at_once questions.
Result<CheckRequest> parse_check_request(std::string_view body);

// What `check` tells of one question.
nlohmann::ordered_json check_outcome_json(const iteration::AskedQuestion& question,
                                          const iteration::CheckOutcome& outcome);

// {"results":[…]}, in the order of the questions.
nlohmann::ordered_json check_outcomes_json(std::span<const iteration::AskedQuestion> questions,
                                           std::span<const iteration::CheckOutcome> outcomes);

}  // namespace qdedup::cli
