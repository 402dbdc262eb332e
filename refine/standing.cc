#include "refine/standing.h"

namespace qdedup::refine {

Standing standing_of(const PairHashes& compared, bool outlives, std::optional<std::uint64_t> question,
                     std::optional<std::uint64_t> keeper) {
  const bool question_changed = question && *question != compared.question;
  if (!keeper) return outlives && !question_changed ? Standing::holds : Standing::keeper_gone;
  return question_changed || *keeper != compared.keeper ? Standing::text_changed : Standing::holds;
}

}  // namespace qdedup::refine
