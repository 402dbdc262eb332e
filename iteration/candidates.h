#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/question_sketch.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// By question of a cluster: 0 where it cannot be a duplicate of another one, else a number that those with
// the same signs have in common. `sketches` has none for a question without text. Quadratic in the questions
// with the same signs, a few nanoseconds a pair.
std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings);

}  // namespace qdedup::iteration
