#include "iteration/unit_decision.h"

#include <cassert>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "db/text_hash.h"
#include "refine/contrast.h"
#include "refine/keepers.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

// A candidate as the duplicate test sees it.
struct Candidate {
  explicit Candidate(std::string_view text)
      : comparand(refine::parts_of(text)),
        sign_fingerprint(refine::sign_fingerprint(comparand.parts)),
        hash(db::text_hash(text)) {}

  refine::Comparand comparand;
  std::uint64_t sign_fingerprint;
  std::uint64_t hash;  // of the text
};

class UnitDecision {
 public:
  UnitDecision(const UnitWork& work, const std::vector<RejectedPair>& rejected,
               const refine::CharacterCounts& characters, const refine::DuplicateSettings& settings)
      : work_(work), rejected_(rejected), characters_(characters), settings_(settings) {
    candidates_.reserve(work.questions.size());
    for (const UnitQuestion& question : work.questions) {
      candidates_.emplace_back();
      if (question.is_candidate && question.has_text) candidates_.back().emplace(question.text);
    }
  }

  [[nodiscard]] UnitOutcome outcome() const {
    const refine::KeeperOracle oracle = {
        [this](QuestionId id) { return work_.questions[work_.position(id)].has_text; },
        [this](QuestionId a, QuestionId b) { return duplicates(a, b); },
        [this](QuestionId question, QuestionId keeper) {
          return is_rejected(rejected_, hashed(question), hashed(keeper));
        },
    };
    const refine::KeeperChoice choice = refine::choose_keepers(work_.clusters, work_.open, oracle);
    UnitOutcome outcome;
    for (const refine::Deletion& deletion : choice.deletions)
      outcome.deletions.push_back(described(deletion));
    for (const refine::Deletion& deletion : choice.repointed)
      outcome.repointed.push_back(described(deletion));
    for (const refine::Deletion& pair : choice.further) outcome.further.push_back(described(pair));
    outcome.missing = choice.missing;
    outcome.held = choice.held;
    return outcome;
  }

 private:
  [[nodiscard]] const std::optional<Candidate>& candidate(QuestionId id) const {
    return candidates_[work_.position(id)];
  }

  [[nodiscard]] bool duplicates(QuestionId a, QuestionId b) const {
    const std::optional<Candidate>& first = candidate(a);
    const std::optional<Candidate>& second = candidate(b);
    if (!first || !second || first->sign_fingerprint != second->sign_fingerprint) return false;
    return refine::compare(first->comparand, second->comparand, settings_).duplicate;
  }

  [[nodiscard]] HashedQuestion hashed(QuestionId id) const { return {id, candidate(id)->hash}; }

  [[nodiscard]] db::NewDeletion described(const refine::Deletion& deletion) const {
    const Candidate& question = *candidate(deletion.question);
    const Candidate& keeper = *candidate(deletion.keeper);
    const refine::Comparison comparison = refine::compare(question.comparand, keeper.comparand, settings_);
    assert(comparison.duplicate);
    const refine::Contrast contrast =
        refine::contrast(contrasted(deletion.question), contrasted(deletion.keeper), characters_);
    return {deletion.question,
            deletion.keeper,
            comparison.distance,
            comparison.length,
            std::string(name(contrast.confidence)),
            joined_reasons(contrast),
            question.hash,
            keeper.hash};
  }

  [[nodiscard]] refine::QuestionText contrasted(QuestionId id) const {
    const UnitQuestion& question = work_.questions[work_.position(id)];
    return {question.text, question.answer};
  }

  const UnitWork& work_;
  const std::vector<RejectedPair>& rejected_;
  const refine::CharacterCounts& characters_;
  const refine::DuplicateSettings& settings_;
  std::vector<std::optional<Candidate>> candidates_;  // by position
};

}  // namespace

UnitOutcome decide_unit(const UnitWork& work, const std::vector<RejectedPair>& rejected,
                        const refine::CharacterCounts& characters,
                        const refine::DuplicateSettings& settings) {
  return UnitDecision(work, rejected, characters, settings).outcome();
}

}  // namespace qdedup::iteration
