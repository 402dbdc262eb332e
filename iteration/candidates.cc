#include "iteration/candidates.h"

#include <algorithm>
#include <cstddef>

#include "refine/sketch.h"

namespace qdedup::iteration {
namespace {

struct Question {
  QuestionSketch sketch;
  std::size_t place;
};

std::vector<Question> questions_with_text(std::span<const std::optional<QuestionSketch>> sketches) {
  std::vector<Question> questions;
  questions.reserve(sketches.size());
  for (std::size_t place = 0; place < sketches.size(); ++place) {
    if (sketches[place]) questions.push_back({*sketches[place], place});
  }
  return questions;
}

}  // namespace

std::vector<bool> candidates(std::span<const std::optional<QuestionSketch>> sketches,
                             const refine::DuplicateSettings& settings) {
  std::vector<Question> questions = questions_with_text(sketches);
  std::ranges::sort(questions, {}, [](const Question& question) { return question.sketch.signs; });
  std::vector<bool> found(sketches.size());
  for (std::size_t a = 0; a < questions.size(); ++a) {
    for (std::size_t b = a + 1; b < questions.size(); ++b) {
      if (questions[a].sketch.signs != questions[b].sketch.signs) break;
      if (!refine::may_be_duplicates(questions[a].sketch, questions[b].sketch, settings)) continue;
      found[questions[a].place] = true;
      found[questions[b].place] = true;
    }
  }
  return found;
}

}  // namespace qdedup::iteration
