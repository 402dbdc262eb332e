#pragma once

#include "base/question_sketch.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::refine {

// Linear.
QuestionSketch sketch_of(const Parts& parts);

// Whether questions with these sketches may be duplicates. Where it says no, they are not: each character
// that the other Han part lacks has to be edited, and so has each that it is longer by. A few nanoseconds.
bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings);

}  // namespace qdedup::refine
