#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/question_sketch.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// To look at so many pairs of sketches costs about as much as to read a text.
constexpr std::uint64_t usual_looks_per_question = 2000;

// By question of a cluster: 0 where it cannot be a duplicate of another one, else a number that those with
// the same signs have in common. `sketches` has none for a question without text. Quadratic in the questions
// with the same signs, a few nanoseconds a pair, where that is at most `looks_per_question` for each of them;
// where it is more, those count as possible duplicates for which no more was found out.
std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings,
                                            std::uint64_t looks_per_question = usual_looks_per_question);

}  // namespace qdedup::iteration
