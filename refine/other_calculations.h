#pragma once

#include <vector>

#include "refine/edit_kinds.h"
#include "refine/question_layout.h"

namespace qdedup::refine {

// Do these edits, all of those of two questions to be calculated, ask for another quantity or change what it
// is calculated from? A comparison, a share, a rate, what is compared exchanged, the rest in place of the
// whole. Time for each edit as for the longer text.
bool are_other_calculations(const QuestionLayout& a, const QuestionLayout& b,
                            const std::vector<KnownEdit>& edits);

}  // namespace qdedup::refine
