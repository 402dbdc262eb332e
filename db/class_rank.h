#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "base/question_id.h"

namespace qdedup::db {

// A class that a question could join.
struct ClassRank {
  QuestionId representative = 0;
  std::uint64_t members = 0;  // beside the representative
  // The iteration that was the newest when that of its members joined which has been in it longest; a class
  // that has none is the youngest.
  std::int64_t since = std::numeric_limits<std::int64_t>::max();

  friend bool operator==(const ClassRank&, const ClassRank&) = default;
};

// Which of `classes`, one at least, a question joins: the largest, of these the oldest, of these the one with
// the smallest representative.
const ClassRank& class_to_join(std::span<const ClassRank> classes);

}  // namespace qdedup::db
