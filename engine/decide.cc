#include "engine/decide.h"

#include <utility>

#include "refine/parts.h"

namespace qdedup::engine {
namespace {

constexpr std::uint64_t steps_between_signs = 5'000'000;

// Of reading text and answer, either to split them or for a contrast.
std::uint64_t steps_to_read(const refine::QuestionText& question) {
  return 10 * (question.text.size() + (question.answer ? question.answer->size() : 0));
}

// The edit distance takes a step per 64 pairs of characters.
std::uint64_t steps_to_compare(const ComparedQuestion& a, const ComparedQuestion& b) {
  if (a.sign_fingerprint != b.sign_fingerprint) return 1;
  const std::uint64_t a_length = a.comparand.parts.han.size();
  const std::uint64_t b_length = b.comparand.parts.han.size();
  return 1 + a_length + b_length + a_length * b_length / 64;
}

refine::AnnotatedOutcome decide(const Component& component, const Past& past, const Measure& measure,
                                const SignOfLife& alive) {
  std::uint64_t steps = 0;
  const auto count = [&](std::uint64_t more) {
    steps += more;
    if (steps < steps_between_signs) return;
    steps = 0;
    alive();
  };
  std::vector<std::optional<ComparedQuestion>> by_position(component.questions.size());  // the candidates
  for (std::size_t i = 0; i < component.questions.size(); ++i) {
    const ComponentQuestion& question = component.questions[i];
    if (!question.is_candidate || !question.has_text) continue;
    by_position[i].emplace(component.ids[i], question.text, measure.settings.duplicates);
    count(steps_to_read(question.text));
  }
  const auto compared = [&](QuestionId id) -> const std::optional<ComparedQuestion>& {
    return by_position[component.position(id)];
  };
  const refine::KeeperOracle oracle = {
      [&](QuestionId id) { return component.questions[component.position(id)].has_text; },
      [&](QuestionId a, QuestionId b) {
        const std::optional<ComparedQuestion>& first = compared(a);
        const std::optional<ComparedQuestion>& second = compared(b);
        if (!first || !second) return false;
        count(steps_to_compare(*first, *second));
        return first->sign_fingerprint == second->sign_fingerprint &&
               refine::compare(first->comparand, second->comparand, measure.settings.duplicates).duplicate;
      },
      [&](QuestionId question, QuestionId keeper) {
        return past.is_rejected({question, keeper}, {compared(question)->hash, compared(keeper)->hash});
      },
  };
  const auto row = [&](const refine::Deletion& pair) {
    const ComparedQuestion& question = *compared(pair.question);
    const ComparedQuestion& keeper = *compared(pair.keeper);
    count(steps_to_compare(question, keeper) + steps_to_read(question.text) + steps_to_read(keeper.text));
    return *annotate(question, keeper, measure);
  };
  return refine::choose_keepers(component.clusters, component.open, oracle).with_rows(row, miner::one_by_one);
}

}  // namespace

ComparedQuestion::ComparedQuestion(QuestionId question_id, const refine::QuestionText& question_text,
                                   const refine::DuplicateSettings& settings)
    : id(question_id),
      text(question_text),
      comparand(refine::compared_parts(question_text.text, settings), settings),
      sign_fingerprint(refine::sign_fingerprint(comparand.parts)),
      hash(refine::text_hash(question_text.text)) {}

std::optional<refine::AnnotatedDeletion> annotate(const ComparedQuestion& question,
                                                  const ComparedQuestion& keeper, const Measure& measure) {
  const refine::Comparison comparison =
      refine::compare(question.comparand, keeper.comparand, measure.settings.duplicates);
  if (!comparison.duplicate) return std::nullopt;
  const refine::Contrast contrast =
      refine::contrast(question.text, keeper.text, measure.characters, measure.settings.contrast);
  return refine::AnnotatedDeletion{
      .question = question.id,
      .keeper = keeper.id,
      .distance = comparison.distance,
      .length = comparison.length,
      .confidence = contrast.confidence,
      .reasons = reasons_of(contrast),
      .risk = contrast.risk,
      .question_hash = question.hash,
      .keep_hash = keeper.hash,
      .by_sets = refine::set_measure(measure.settings.duplicates.similarity).has_value()};
}

refine::AnnotatedOutcome decide(std::vector<Component> components, const Past& past, const Measure& measure,
                                const miner::WorkShare& share, const SignOfLife& alive) {
  std::vector<refine::AnnotatedOutcome> outcomes(components.size());
  share(components.size(), [&](std::size_t i) {
    outcomes[i] = decide(components[i], past, measure, alive);
    components[i] = {};
  });
  refine::AnnotatedOutcome all;
  for (refine::AnnotatedOutcome& outcome : outcomes) all.append(std::move(outcome));
  return all;
}

}  // namespace qdedup::engine
