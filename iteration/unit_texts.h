#pragma once

#include <span>

#include "base/result.h"
#include "db/bank.h"
#include "iteration/unit_work.h"

namespace qdedup::iteration {

// Reads the texts of all candidates of the units, in order of their ids, as these lie side by side.
// Candidates without text are none any more.
Status read_unit_texts(std::span<UnitWork> units, db::Bank& bank);

}  // namespace qdedup::iteration
