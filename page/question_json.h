#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "iteration/question_check.h"

namespace qdedup::page {

// Questions to be checked, as the daemon takes them:
// {"questions":[{"id":1,"text":"…","answer":"…","images":["…"],"arrived_at":"…"}],"add":true}, or one such
// question with "add" beside its text. `id` may be missing where nothing is to be added.
struct CheckRequest {
  std::vector<iteration::AskedQuestion> questions;
  bool add = false;
};

inline constexpr std::size_t max_questions_per_check = 1000;

// ErrorCode::data where `body` is none, or has more than max_questions_per_check questions; no more than
// these are read then. Linear.
Result<CheckRequest> parse_check_request(std::string_view body);

// What a check found of one question.
Json check_outcome_json(const iteration::AskedQuestion& question, const iteration::CheckOutcome& outcome);

// {"results":[…]}, in the order of the questions.
Json check_outcomes_json(std::span<const iteration::AskedQuestion> questions,
                         std::span<const iteration::CheckOutcome> outcomes);

}  // namespace qdedup::page
