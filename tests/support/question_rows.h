#pragma once

#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "import/question_reader.h"

namespace qdedup::import {

// Rows as one looks at them in a test: `2: 17 |text|answer`, `3: reason (detail)`.
inline std::string shown(const Row& row) {
  std::string line = std::to_string(row.line) + ": ";
  if (const auto* error = std::get_if<RowError>(&row.content)) {
    return line + error->reason + (error->detail.empty() ? "" : " (" + error->detail + ")");
  }
  const auto& question = std::get<Question>(row.content);
  return line + std::to_string(question.id) + " |" + question.text + "|" + question.answer.value_or("-");
}

// All that a reader gives, and the error that ended it, if one did.
inline std::vector<std::string> shown_rows(QuestionReader& reader) {
  std::vector<std::string> rows;
  while (true) {
    const auto row = reader.next();
    if (!row.ok()) rows.push_back("error: " + row.error().message);
    if (!row.ok() || !row->has_value()) return rows;
    rows.push_back(shown(**row));
  }
}

inline std::vector<std::string> shown_rows(Result<std::unique_ptr<QuestionReader>> reader) {
  if (!reader.ok()) return {"error: " + reader.error().message};
  return shown_rows(**reader);
}

}  // namespace qdedup::import
