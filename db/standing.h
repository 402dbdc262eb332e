#pragma once

#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"

namespace qdedup::db {

// Whether a deletion still rests on the texts that were compared.
enum class Standing {
  holds,
  keeper_gone,   // the keeper has left the bank
  text_changed,  // of the question or of the keeper
};

// Holds `row` against the bank of this moment; reads two texts. A question that left the bank has not
// changed: its deletion stays until it is carried out, or the question comes back. What was applied or
// rejected outlives its keeper.
Result<Standing> standing_of(const DeletionRow& row, Bank& bank);

}  // namespace qdedup::db
