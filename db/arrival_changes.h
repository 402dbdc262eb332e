#pragma once

#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/question_id.h"
#include "base/result.h"
#include "db/arrived_rows.h"
#include "db/class_updater.h"

namespace qdedup::db {

// What Arrivals::follow() does for these questions, within its transaction. Throws what the library throws.
Status follow_changes(SQLite::Database& database, const std::vector<QuestionId>& changed,
                      const TextInBank& text_in_bank, const ArrivalOf& arrival_of, const std::string& at);

}  // namespace qdedup::db
