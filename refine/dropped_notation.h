#pragma once

#include "refine/text_forms.h"

namespace qdedup::refine {

// Do two texts write their letters, numbers and brackets alike where the duplicate test does not look
// (doc/rules.md, 6)? What it drops and the normal form flattens stands in the same places
// (refine/placed_marks, refine/flattened_marks): blanks and the beginnings of speech if there are as many of
// them, borders of cells if both texts have any, and no letters are joined that the other text parts. Where
// either text asks about its punctuation, marked words or wording, that has to be the same too. Linear, but
// for the distance of the Han parts where places have to be compared and these parts differ.
bool same_dropped_notation(const TextForms& a, const TextForms& b);

}  // namespace qdedup::refine
