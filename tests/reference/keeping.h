#pragma once

#include <span>
#include <vector>

#include "refine/keepers.h"

namespace qdedup::reference {

// The slow twin of refine::choose_keepers: one map of open deletions, searched from end to end for each
// question.
refine::KeeperChoice choose_keepers(std::span<const std::vector<QuestionId>> clusters,
                                    std::span<const refine::Deletion> open,
                                    const refine::KeeperOracle& oracle);

}  // namespace qdedup::reference
