#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/text_forms.h"

namespace qdedup::refine {

// In what two questions differ, as findings for people and as numbers for a model.
struct PairFeatures {
  bool calculates;                   // which kind of question it is: one to be calculated, or another
  std::vector<std::int32_t> values;  // in thousandths, in the order of feature_names()
  std::vector<Finding> findings;     // in the order of the text
  // Doubtful whatever the weights say; doc/design.md, “Safe or doubtful”, says when.
  bool is_grave = false;
};

// "story.negation", "options.lowest", …
const std::vector<std::string>& feature_names();

// Is a difference of this kind a reason for doubt by itself? Fillers, synonyms, misspellings and the like are
// not. For findings of pair_features().
bool is_substantial(const Finding& finding);

// Reads two questions. Exchanging them exchanges the ranges of the findings and nothing else; of two that do
// not differ all values are 0. `bank` tells common characters from rare ones. Time as align(), and the text
// once for each difference.
PairFeatures pair_features(const TextForms& question, const TextForms& keeper, const CharacterCounts& bank);

}  // namespace qdedup::refine
