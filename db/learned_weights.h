#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "db/decisions.h"
#include "db/store.h"
#include "refine/contrast.h"
#include "refine/risk_model.h"

namespace qdedup::db {

// From so many new decisions on, learning is worth trying.
inline constexpr std::uint64_t enough_to_learn = 100;

// The weights that were learned from the decisions of this bank (refine/risk_learning.h).
class LearnedWeights {
 public:
  explicit LearnedWeights(Store& store) : store_(store) {}

  // Null: none are, so those of the program count.
  Result<std::shared_ptr<const refine::RiskModel>> in_force();

  // Puts `model` in force, which was learned from so many pairs.
  Status add(const refine::RiskModel& model, std::uint64_t pairs, const Decider& who);

  // Puts the weights before those in force in force again. False: none are in force.
  Result<bool> undo(const Decider& who);

  // How many deletions were approved or rejected one by one since weights were last learned, undone or not,
  // and are so still.
  Result<std::uint64_t> new_decisions();

 private:
  Store& store_;
};

// The settings, with the weights in force.
Result<refine::ContrastSettings> with_weights(refine::ContrastSettings settings, Store& store);

}  // namespace qdedup::db
