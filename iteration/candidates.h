#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/question_sketch.h"
#include "refine/duplicate_test.h"

namespace qdedup::iteration {

// By question of a cluster: whether it may be a duplicate of another one. `sketches` has none for a question
// without text. Quadratic in the questions with the same signs, a few nanoseconds a pair.
std::vector<bool> candidates(std::span<const std::optional<QuestionSketch>> sketches,
                             const refine::DuplicateSettings& settings);

}  // namespace qdedup::iteration
