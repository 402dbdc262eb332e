#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/question_id.h"

namespace SQLite {
class Statement;
}

namespace qdedup::db {

// Which deletions one wants; an empty part does not restrict.
struct DeletionFilter {
  std::optional<std::int64_t> iteration;
  std::vector<std::string> statuses;
  std::string confidence;
  std::string reason{};                  // one of the reasons; "polarity" is any "polarity:X/Y"
  int min_similarity = 0;                // percent
  int max_similarity = 100;              // whole percent: 89 takes what is below 90
  std::optional<QuestionId> question{};  // to be deleted, or kept
};

// The filter as SQL: "WHERE 1 AND …" with a parameter for each value, and these values, from parameter
// `after + 1` on. bind() answers the last parameter that it bound; it throws what the library throws.
std::string condition(const DeletionFilter& filter);
int bind(SQLite::Statement& rows, const DeletionFilter& filter, int after = 0);

}  // namespace qdedup::db
