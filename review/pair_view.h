#pragma once

#include <cstdint>

#include "review/deletion_list.h"
#include "review/html.h"

namespace qdedup::review {

// One pair for people to compare: what is known about it, then the keeper's text beside the deleted one. What
// only the keeper has is in <ins>, what only the deleted question has in <del>; nothing is marked where
// either text is gone. `number` counts the pairs of the report from 1. The anchor of the pair is #q and the
// deleted question's id. With `draws`, texts are drawn: those of a bank whose markup was read.
void append_pair(Html& html, std::uint64_t number, const DeletionEntry& entry, bool draws = false);

}  // namespace qdedup::review
