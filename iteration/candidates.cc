#include "iteration/candidates.h"

#include <algorithm>
#include <cstddef>

#include "iteration/partners.h"
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

// How many of them, from the first on, have the signs of the first.
std::size_t equal_signs(std::span<const Question> questions) {
  std::size_t count = 1;
  while (count < questions.size() && questions[count].sketch.signs == questions[0].sketch.signs) ++count;
  return count;
}

}  // namespace

std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings,
                                            std::uint64_t looks_per_question) {
  std::vector<Question> questions = questions_with_text(sketches);
  std::ranges::sort(questions, {}, [](const Question& question) { return question.sketch.signs; });
  std::vector<std::uint32_t> groups(sketches.size());
  std::uint32_t group = 1;
  Partners partners;
  for (std::size_t begin = 0; begin < questions.size(); ++group) {
    const std::size_t size = equal_signs(std::span(questions).subspan(begin));
    if (size == 1) {
      ++begin;
      continue;
    }
    const auto may_pair = [&](std::size_t a, std::size_t b) {
      return refine::may_be_duplicates(questions[begin + a].sketch, questions[begin + b].sketch, settings);
    };
    const std::vector<bool>& paired = partners.find(size, looks_per_question * size, may_pair);
    for (std::size_t i = 0; i < size; ++i) groups[questions[begin + i].place] = paired[i] ? group : 0;
    begin += size;
  }
  return groups;
}

}  // namespace qdedup::iteration
