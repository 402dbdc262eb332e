#pragma once

#include <cstddef>
#include <vector>

#include "refine/layout_comparison.h"

namespace qdedup::refine {

// Which differences between two questions are one consistent renaming: x stands everywhere for y, x does not
// occur in the other question nor y in the one, and both are people, or, where the question is to be
// calculated, things that are mentioned in the story. Returns one flag per difference.
std::vector<bool> renamings(const QuestionLayout& a, const QuestionLayout& b,
                            const std::vector<Difference>& differences, bool calculates);

// Do both point back here, each with a name of its own for the same thing? 服装 and 商品 of “该服装”,
// “该商品”, where the other text does not have the word; or one with the shorter name of what both have named
// before: 路 of “修一条公路，这条路”.
bool refers_back(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference);

// Is a word of this difference named otherwise here, while it stands unchanged elsewhere in the other text?
bool renames_part(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference);

}  // namespace qdedup::refine
