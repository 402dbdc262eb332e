#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/question_id.h"
#include "engine/components.h"
#include "engine/past.h"
#include "miner/numbered_lists.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/duplicate_test.h"
#include "refine/keepers.h"

namespace qdedup::engine {

// The rules that determine which questions are duplicates, and which of those are doubtful.
struct DecisionSettings {
  refine::DuplicateSettings duplicates;
  refine::ContrastSettings contrast;
};

// How questions are compared. The bank's characters must outlive it.
struct Measure {
  DecisionSettings settings;
  const refine::CharacterCounts& characters;
};

// A question prepared for many comparisons. Its text must outlive it.
struct ComparedQuestion {
  ComparedQuestion(QuestionId question_id, const refine::QuestionText& question_text,
                   const refine::DuplicateSettings& settings);

  QuestionId id;
  refine::QuestionText text;
  refine::Comparand comparand;
  std::uint64_t sign_fingerprint;  // of what is compared of the signs
  std::uint64_t hash;              // refine::text_hash
};

// The row of the deletion list for `question` and `keeper`, made for the settings of `measure`; none if they
// are not duplicates.
std::optional<refine::AnnotatedDeletion> annotate(const ComparedQuestion& question,
                                                  const ComparedQuestion& keeper, const Measure& measure);

// Called after each stretch of work, of some 10 ms, by the thread that did it. Not every thread does that
// much.
using SignOfLife = std::function<void()>;

// Decides components whose candidates have their texts, in parallel if `share` runs its work so. Each
// component is freed once it is decided.
refine::AnnotatedOutcome decide(std::vector<Component> components, const Past& past, const Measure& measure,
                                const miner::WorkShare& share, const SignOfLife& alive);

}  // namespace qdedup::engine
