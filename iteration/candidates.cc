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

std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings) {
  std::vector<Question> questions = questions_with_text(sketches);
  std::ranges::sort(questions, {}, [](const Question& question) { return question.sketch.signs; });
  std::vector<std::uint32_t> groups(sketches.size());
  std::uint32_t group = 1;
  for (std::size_t a = 0; a < questions.size(); ++a) {
    if (a > 0 && questions[a].sketch.signs != questions[a - 1].sketch.signs) ++group;
    for (std::size_t b = a + 1; b < questions.size(); ++b) {
      if (questions[a].sketch.signs != questions[b].sketch.signs) break;
      if (!refine::may_be_duplicates(questions[a].sketch, questions[b].sketch, settings)) continue;
      groups[questions[a].place] = group;
      groups[questions[b].place] = group;
    }
  }
  return groups;
}

}  // namespace qdedup::iteration
