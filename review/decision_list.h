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

// A row of a deletion list that came back.
struct ListedRow {
  std::uint64_t line = 0;  // where it begins, counted from 1
  std::optional<std::int64_t> iteration;
  QuestionId question = 0;
  std::optional<QuestionId> keeper;
  std::string decision;  // without blanks around it, in lower case
  std::string note;
  std::optional<std::string> question_text;
  std::optional<std::string> keeper_text;
};

// What may stand in a list: exported rows with decisions, or questions alone.
enum class ListUse {
  decisions,  // the columns delete_id, keep_id and decision are needed
  questions,  // delete_id is enough; or the file is one id a line
};

using TakeRow = std::function<Status(ListedRow row)>;
using TakeProblem = std::function<void(std::uint64_t line, const import::RowError& error)>;

// "reason (detail)"
std::string shown(const import::RowError& error);

// Reads a list that review::export_list wrote and people filled in, as CSV, TSV or JSON lines (by its name
// or its first line), packed or not, row by row: columns in any order, others are ignored. The ' that
// guards a CSV cell from being a formula is taken off. A row that cannot be read goes to `problem`; the rest
// goes on. Errors begin with the path: of reading, of a header without a needed column, and
// those of `take`.
Status read_list(const std::string& path, const logs::Files& files, ListUse use, const TakeRow& take,
                 const TakeProblem& problem);

// The same from lines that are open already.
Status read_list(import::LineReader lines, ListUse use, const TakeRow& take, const TakeProblem& problem);

}  // namespace qdedup::review
