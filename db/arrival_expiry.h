#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/question_id.h"
#include "base/result.h"
#include "db/arrived_rows.h"

namespace qdedup::db {

// Which questions went, or would go.
struct Expired {
  std::uint64_t arrived = 0;             // that were not in the bank
  std::vector<QuestionId> leaving = {};  // the bank, ascending
};

// What Arrivals::expire() does, within its transaction. Throws what the library throws.
Result<Expired> expire_arrivals(SQLite::Database& database, std::int64_t moment,
                                std::span<const QuestionId> in_bank, const TextInBank& text_in_bank,
                                const std::string& at);

}  // namespace qdedup::db
