#include "engine/decide.h"

#include <utility>

#include "refine/parts.h"

namespace qdedup::engine {
namespace {

// Estimates the work of one thread, and gives a sign of life now and then.
class Effort {
 public:
  explicit Effort(const SignOfLife& alive) : alive_(alive) {}

  // Reading text and answer, either to split them or for a contrast.
  void read(const ComparedQuestion& question) {
    const refine::QuestionText& text = question.text;
    add(10 * (text.text.size() + (text.answer ? text.answer->size() : 0)));
  }

  // The edit distance takes a step per 64 pairs of characters.
  void compare(const ComparedQuestion& a, const ComparedQuestion& b) {
    if (a.sign_fingerprint != b.sign_fingerprint) return add(1);
    const std::uint64_t a_length = a.comparand.parts.han.size();
    const std::uint64_t b_length = b.comparand.parts.han.size();
    add(1 + a_length + b_length + a_length * b_length / 64);
  }

 private:
  static constexpr std::uint64_t steps_between_signs = 5'000'000;

  void add(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ < steps_between_signs) return;
    steps_ = 0;
    alive_();
  }

  const SignOfLife& alive_;
  std::uint64_t steps_ = 0;
};

refine::AnnotatedOutcome decide(const Component& component, const Past& past, const Measure& measure,
                                const SignOfLife& alive) {
  Effort effort(alive);
  std::vector<std::optional<ComparedQuestion>> by_position(component.questions.size());  // the candidates
  for (std::size_t i = 0; i < component.questions.size(); ++i) {
    const ComponentQuestion& question = component.questions[i];
    if (!question.is_candidate || !question.has_text) continue;
    effort.read(by_position[i].emplace(component.ids[i], question.text, measure.settings.duplicates));
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
        effort.compare(*first, *second);
        return first->sign_fingerprint == second->sign_fingerprint &&
               refine::compare(first->comparand, second->comparand, measure.settings.duplicates).duplicate;
      },
      [&](QuestionId question, QuestionId keeper) {
        return past.is_rejected({question, keeper}, {compared(question)->hash, compared(keeper)->hash});
      },
  };
  const auto row = [&](const refine::Deletion& pair) {
    effort.compare(*compared(pair.question), *compared(pair.keeper));
    for (const QuestionId id : {pair.question, pair.keeper}) effort.read(*compared(id));
    return *annotate(*compared(pair.question), *compared(pair.keeper), measure);
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
