#pragma once

#include <cstdint>
#include <vector>

#include "base/question_id.h"
#include "finder/han_column.h"

namespace qdedup::iteration {

// A question of a sweep.
struct SweepRow {
  QuestionId id;
  std::uint64_t text_hash;
  std::uint32_t bucket;  // db::SweptQuestions::bucket_of
  // An earlier sweep found no duplicates of it among the questions that are swept as well; afterwards, this
  // sweep found none.
  bool swept;
};

// Questions by number, ids ascending, and their Han parts by the same numbers.
struct SweepRows {
  std::vector<SweepRow> rows;
  finder::HanColumn hans;

  [[nodiscard]] std::uint64_t bytes() const { return rows.size() * sizeof(SweepRow) + hans.bytes(); }
};

}  // namespace qdedup::iteration
