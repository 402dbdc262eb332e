#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/question_id.h"
#include "base/result.h"
#include "import/line_reader.h"
#include "import/question_reader.h"
#include "logs/files.h"

namespace qdedup::review {

// A row of a deletion list that people filled in.
struct ListedRow {
  std::uint64_t line = 0;  // where it begins, from 1
  std::optional<std::int64_t> iteration;
  QuestionId question = 0;
  std::optional<QuestionId> keeper;
  std::string decision;  // trimmed, in lower case
  std::string note;
  std::optional<std::string> question_text;
  std::optional<std::string> keeper_text;
};

// What a list may contain: exported rows with decisions, or just questions.
enum class ListUse {
  decisions,  // requires the columns delete_id, keep_id and decision
  questions,  // delete_id is enough; the file may also have one id per line
};

using TakeRow = std::function<Status(ListedRow row)>;
using TakeProblem = std::function<void(std::uint64_t line, const import::RowError& error)>;

// "reason (detail)"
std::string shown(const import::RowError& error);

// Reads a list that review::export_list wrote and people filled in, as CSV, TSV or JSON lines (determined by
// its name or its first line), compressed or not, row by row. Columns may be in any order; unknown ones are
// ignored. The ' that protects a CSV cell from being taken for a formula is removed. A row that cannot be
// read goes to `problem`, and reading continues. Errors begin with the path; they come from reading, from a
// header that lacks a required column, and from `take`.
Status read_list(const std::string& path, const logs::Files& files, ListUse use, const TakeRow& take,
                 const TakeProblem& problem);

// The same for lines that are already open.
Status read_list(import::LineReader lines, ListUse use, const TakeRow& take, const TakeProblem& problem);

}  // namespace qdedup::review
