#include "review/witness.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "db/iterations.h"
#include "db/standing.h"
#include "refine/parts.h"

namespace qdedup::review {
namespace {

using BreachKind = std::optional<std::string>;

// Those that an iteration recorded; the defaults for what it did not.
refine::DuplicateSettings recorded_settings(const std::string& text) {
  refine::DuplicateSettings settings;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return settings;
  const auto percent = json.find("min_similarity");
  if (percent != json.end() && percent->is_number_integer()) settings.min_similarity = percent->get<int>();
  const auto similarity = json.find("similarity");
  if (similarity != json.end() && *similarity == name(refine::Similarity::lcs)) {
    settings.similarity = refine::Similarity::lcs;
  }
  return settings;
}

}  // namespace

Result<DirectWitness> DirectWitness::create(db::Store& store, db::Bank& bank) {
  DirectWitness witness(store, bank);
  const auto iterations = db::Iterations(store).all();
  if (!iterations.ok()) return iterations.error();
  for (const db::IterationRecord& iteration : *iterations) {
    witness.settings_[iteration.id] = recorded_settings(iteration.settings);
  }
  auto repointed = witness.deletions_.last_repointings();
  if (!repointed.ok()) return std::move(repointed).error();
  witness.repointed_in_ = *std::move(repointed);
  return witness;
}

refine::DuplicateSettings DirectWitness::settings_of(const db::DeletionRow& deletion) const {
  const auto repointed = repointed_in_.find(deletion.id);
  const auto found =
      settings_.find(repointed == repointed_in_.end() ? deletion.iteration : repointed->second);
  return found == settings_.end() ? refine::DuplicateSettings() : found->second;
}

Result<BreachKind> DirectWitness::breach_of_test(const db::DeletionRow& deletion) {
  const auto question = bank_.find(deletion.question);
  if (!question.ok()) return question.error();
  const auto keeper = bank_.find(deletion.keeper);
  if (!keeper.ok()) return keeper.error();
  if (!question->has_value() || !keeper->has_value()) return BreachKind();
  const refine::Comparison comparison = refine::compare(
      refine::parts_of((*question)->text), refine::parts_of((*keeper)->text), settings_of(deletion));
  if (!comparison.duplicate) return BreachKind("not-duplicates");
  const bool as_recorded = comparison.distance == deletion.distance && comparison.length == deletion.length;
  return as_recorded ? BreachKind() : BreachKind("other-distance");
}

Result<BreachKind> DirectWitness::breach_of_pair(const db::DeletionRow& pair) {
  const Result<db::Standing> standing = db::standing_of(pair, bank_);
  if (!standing.ok()) return standing.error();
  if (*standing == db::Standing::keeper_gone) return BreachKind("keeper-gone");
  if (*standing == db::Standing::text_changed) return BreachKind("text-changed");
  return breach_of_test(pair);
}

Result<BreachKind> DirectWitness::breach(const db::DeletionRow& deletion) {
  const Result<db::Standing> standing = db::standing_of(deletion, bank_);
  if (!standing.ok()) return standing.error();
  if (*standing == db::Standing::keeper_gone) return BreachKind("keeper-gone");
  const auto its_keeper = deletions_.open_keeper(deletion.keeper);
  if (!its_keeper.ok()) return its_keeper.error();
  if (*its_keeper) return BreachKind("keeper-listed");
  if (*standing == db::Standing::text_changed) return BreachKind("text-changed");
  return breach_of_test(deletion);
}

}  // namespace qdedup::review
