#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "refine/pair_features.h"
#include "refine/risk_model.h"

namespace qdedup::refine {

// A pair with words that differ, and what a person says about it.
struct JudgedPair {
  PairFeatures features;    // without findings
  std::uint64_t group = 0;  // pairs of one group are either all learned from or all left out for the test
  bool is_same = false;
};

// How well a model agrees with judged pairs.
struct RiskQuality {
  std::uint64_t same = 0;
  std::uint64_t different = 0;
  std::uint64_t safe_same = 0;  // of them called safe
  std::uint64_t safe_different = 0;
  double log_loss = 0;  // the mean of -ln of the probability given to what the person says
  double ranking = 0;  // of a pair that is different and one that is the same, the chance that the former has
                       // the higher risk

  [[nodiscard]] std::uint64_t safe() const { return safe_same + safe_different; }
};

RiskQuality quality_of(const RiskModel& model, std::span<const JudgedPair> pairs);

// The most probable weights, each of which is expected to be that of `prior`, give or take 0.7 logits. The
// thresholds stay, and the intercepts, which are the risk of pairs with the same words. Deterministic. Time:
// pairs x the square of the number of features, some twenty times.
RiskModel fit_weights(const RiskModel& prior, std::span<const JudgedPair> pairs);

struct Learning {
  std::uint64_t same = 0;  // of all pairs
  std::uint64_t different = 0;
  std::uint64_t tested = 0;          // pairs left out for the test
  RiskQuality before;                // of the weights in force, on these
  RiskQuality after;                 // of the learned ones
  std::optional<RiskModel> learned;  // none: there are too few pairs
  std::string refusal;               // why the learned weights are not to be used; empty if they are
};

// Fits weights to some of the pairs, starting from the shipped ones, and tests them on the others. A
// threshold is never above the shipped one, and at most so high that the share of different pairs among the
// safe ones is no larger than with the weights in force, by cross-validation within the pairs learned from.
Learning learn_weights(const RiskModel& shipped, const RiskModel& in_force,
                       std::span<const JudgedPair> pairs);

}  // namespace qdedup::refine
