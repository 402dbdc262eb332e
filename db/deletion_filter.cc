#include "db/deletion_filter.h"

#include <SQLiteCpp/Statement.h>

namespace qdedup::db {

std::string condition(const DeletionFilter& filter) {
  std::string condition = "WHERE 1";
  if (filter.iteration) condition += " AND iteration_id = ?";
  if (!filter.statuses.empty()) {
    condition += " AND status IN (?";
    for (std::size_t i = 1; i < filter.statuses.size(); ++i) condition += ", ?";
    condition += ")";
  }
  if (!filter.confidence.empty()) condition += " AND confidence = ?";
  if (!filter.reason.empty()) {
    condition +=
        " AND (instr(';' || reasons || ';', ';' || ? || ';') > 0"
        " OR instr(';' || reasons, ';' || ? || ':') > 0)";
  }
  if (filter.min_similarity > 0) condition += " AND (length - distance) * 100 >= length * ?";
  if (filter.max_similarity < 100) condition += " AND (length - distance) * 100 < length * ?";
  if (filter.question) condition += " AND ? IN (question_id, keep_id)";
  return condition;
}

int bind(SQLite::Statement& rows, const DeletionFilter& filter, int after) {
  if (filter.iteration) rows.bind(++after, *filter.iteration);
  for (const std::string& status : filter.statuses) rows.bind(++after, status);
  if (!filter.confidence.empty()) rows.bind(++after, filter.confidence);
  if (!filter.reason.empty()) {
    rows.bind(++after, filter.reason);
    rows.bind(++after, filter.reason);
  }
  if (filter.min_similarity > 0) rows.bind(++after, filter.min_similarity);
  if (filter.max_similarity < 100) rows.bind(++after, filter.max_similarity + 1);
  if (filter.question) rows.bind(++after, *filter.question);
  return after;
}

}  // namespace qdedup::db
