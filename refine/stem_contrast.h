#pragma once

#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/layout_comparison.h"

namespace qdedup::refine {

// Adds to `contrast` what tells the stems of two questions apart: everything before the options.
void contrast_stems(const QuestionLayout& a, const QuestionLayout& b, const CharacterCounts& bank,
                    Contrast& contrast);

}  // namespace qdedup::refine
