#pragma once

#include <string>
#include <vector>

#include "refine/layout_comparison.h"

namespace qdedup::refine {

// The reasons for doubt that the words of a difference give by themselves, whatever stands around them:
// number-moved, negation, polarity:X/Y, number-word, unit, quantity. Each once, in this order.
std::vector<std::string> word_doubts(const QuestionLayout& a, const QuestionLayout& b,
                                     const Difference& difference, bool calculates);

// Do the two sides differ in nothing but characters that are written for one another?
bool is_misspelling(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference);

}  // namespace qdedup::refine
