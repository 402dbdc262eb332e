#pragma once

#include <cstdint>
#include <limits>

namespace qdedup {

// The id of a question in the bank: 1 to 2^63-1.
using QuestionId = std::int64_t;

inline constexpr QuestionId min_question_id = 1;
inline constexpr QuestionId max_question_id = std::numeric_limits<QuestionId>::max();

}  // namespace qdedup
