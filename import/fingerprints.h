#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"

namespace qdedup::import {

// Fingerprints made by other sign rules (an older program, another Unicode version) would hide duplicates:
// computes them all anew if the bank's are such, else does nothing. The bank must be open for writing.
Status bring_fingerprints_up_to_date(db::Bank& bank, const Progress& progress);

}  // namespace qdedup::import
