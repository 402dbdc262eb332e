#pragma once

#include "refine/contrast.h"
#include "refine/layout_comparison.h"

namespace qdedup::refine {

// Adds to `contrast` what tells the options of two questions apart.
void contrast_options(const QuestionLayout& a, const QuestionLayout& b, Contrast& contrast);

}  // namespace qdedup::refine
