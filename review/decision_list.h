#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/question_id.h"
#include "base/result.h"
#include "import/line_reader.h"
#include "import/question_reader.h"
#include "logs/files.h"

namespace qdedup::review {

// Where a row of a list begins.
struct ListPlace {
  std::uint64_t line = 0;                              // or row of a sheet, from 1; 0: it is in no list
  std::uint32_t sheet = 0;                             // from 1; 0: the list has no sheets
  std::shared_ptr<const std::string> sheet_name = {};  // shortened, without what may not be printed

  // "line 5", or "row 5 of sheet deletions"
  [[nodiscard]] std::string shown() const;

  friend bool operator<(const ListPlace& one, const ListPlace& other) {
    return one.sheet != other.sheet ? one.sheet < other.sheet : one.line < other.line;
  }
};

// A row of a deletion list that people filled in.
struct ListedRow {
  ListPlace place;
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
using TakeProblem = std::function<void(const ListPlace& place, const import::RowError& error)>;

// "reason (detail)"
std::string shown(const import::RowError& error);

// Reads a list that export_list or export_workbook wrote and people filled in, as CSV, TSV or JSON lines
// (determined by its name or its first line), compressed or not, or as a workbook, row by row. Columns may be
// in any order; unknown ones are ignored. The ' that protects a cell from being taken for a formula is
// removed. A row that cannot be read goes to `problem`, and reading continues. Errors begin with the path;
// they come from reading, from a header that lacks a required column, and from `take`.
//
// Of a workbook, the sheets count that have a header, in any row: a row that names delete_id or keep_id.
// Where a person may see something else than what stands there, the row is a problem (formulas, number
// formats), or the file is an error: a sheet, a header or a column of decisions that is hidden, rows that are
// hidden by no filter but have decisions, merged cells, and whatever import::read_workbook refuses.
Status read_list(const std::string& path, const logs::Files& files, ListUse use, const TakeRow& take,
                 const TakeProblem& problem);

// The same for lines that are already open.
Status read_list(import::LineReader lines, ListUse use, const TakeRow& take, const TakeProblem& problem);

}  // namespace qdedup::review
