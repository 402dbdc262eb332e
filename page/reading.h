#pragma once

#include "base/result.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "refine/character_counts.h"

namespace qdedup::page {

// The state, open for looking at it. Not to be shared by threads.
struct Reading {
  db::Store store;
  db::Bank bank;
  refine::CharacterCounts characters;  // of the bank

  static Result<Reading> open(const db::StateFolder& folder);
};

}  // namespace qdedup::page
