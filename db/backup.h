#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"

namespace qdedup::db {

enum class Overwrite { no, yes };

// ErrorCode::cannot_create where there is a file, or anything else, already.
Status expect_nothing_at(const std::string& target);

// Copies the database at `source` to `target` as of one moment, while others write to it: whole transactions
// only. The copy is made beside its place, found sound by SQLite's integrity check, synced and renamed; it is
// one file, which needs no other to be put back. Without Overwrite::yes a file that is there stays
// (ErrorCode::cannot_create). `stage` names the copy in `progress`, which counts pages.
Status back_up(const std::string& source, const std::string& target, Overwrite overwrite,
               const std::string& stage, const Progress& progress);

}  // namespace qdedup::db
