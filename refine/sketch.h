#pragma once

#include "base/question_sketch.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::refine {

// Linear.
QuestionSketch sketch_of(const Parts& parts);

// Whether questions with these sketches may be duplicates. Where it says no, they are not: a character of a
// class that the other Han part lacks, like one more character, has to be edited. A few nanoseconds.
bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings);

}  // namespace qdedup::refine
