#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/question_id.h"
#include "base/result.h"
#include "db/deletions.h"
#include "db/store.h"

namespace qdedup::review {

// A question that at least one of two iterations listed, with the keeper that it has there.
struct ListedTwice {
  QuestionId question = 0;
  std::optional<QuestionId> first_keeper;
  std::optional<QuestionId> second_keeper;
};

struct DifferenceCounts {
  std::uint64_t same = 0;          // in both lists, with the same keeper
  std::uint64_t other_keeper = 0;  // in both lists
  std::uint64_t only_first = 0;
  std::uint64_t only_second = 0;
};

// Goes through the lists of two iterations side by side, by question.
Result<DifferenceCounts> compare_lists(db::Store& store, std::int64_t first, std::int64_t second,
                                       const std::function<void(const ListedTwice&)>& take);

}  // namespace qdedup::review
