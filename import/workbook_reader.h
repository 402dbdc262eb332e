#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "logs/files.h"

namespace qdedup::import {

// A cell that is not blank. Rows and columns count from 1, as spreadsheets do.
struct SheetCell {
  std::uint32_t column = 0;
  std::string text;
  std::string_view problem;  // one of cell_problem: why the text may not be what is shown; empty: it is
};

struct SheetRow {
  std::uint32_t row = 0;
  bool is_hidden = false;
  std::vector<SheetCell> cells;  // at least one, by column
};

struct CellRange {
  std::uint32_t first_row = 0;
  std::uint32_t last_row = 0;  // inclusive
  std::uint32_t first_column = 0;
  std::uint32_t last_column = 0;  // inclusive
};

// A worksheet. What stands behind the rows in the file is known only at its end.
struct Sheet {
  std::uint32_t number = 0;  // from 1, with those that are hidden
  std::string name;
  bool is_hidden = false;
  bool is_filtered = false;  // so that rows may be hidden by a filter
  std::vector<CellRange> hidden_columns;
  std::vector<CellRange> merged;
  std::vector<CellRange> formulas;  // that one formula fills

  [[nodiscard]] bool hides(std::uint32_t column) const;
};

namespace cell_problem {
inline constexpr std::string_view formula = "is a formula, which is not calculated: paste it as a value";
inline constexpr std::string_view error = "is an error of the spreadsheet: clear it";
inline constexpr std::string_view rounded =
    "was rounded by the spreadsheet, which keeps 15 digits: take the list as it was exported, with ids as "
    "text";
inline constexpr std::string_view format = "is shown otherwise by its number format: give it the format Text";
inline constexpr std::string_view rich = "is a picture or a linked value: paste it as a value";
inline constexpr std::string_view too_long = "has more than the 32,767 characters of a cell";
}  // namespace cell_problem

// "K3"
std::string cell_name(std::uint32_t column, std::uint32_t row);

// Whether a file with such a beginning is to be read as a workbook.
bool is_workbook(std::string_view first_bytes);

using TakeSheetRow = std::function<Status(const Sheet& sheet, SheetRow& row)>;
using EndSheet = std::function<Status(const Sheet& sheet)>;

// Reads the worksheets of an XLSX workbook (ECMA-376, transitional or strict), in their order: what a person
// sees in their cells, or a cell with a problem, or an error. Nothing is calculated, no link is followed, and
// neither colours nor what floats above the cells are looked at. Fails with ErrorCode::data, beginning with
// the path, where programs may show something else than stands here: parts that are found in two ways
// (OfficePackage), rows and cells that repeat or do not ascend, elements where they do not belong, alternate
// contents, number formats of a condition; for what is no workbook or damaged; and beyond workbook_limits.
// Errors of `take` and `end` are passed on as they are. Memory: the texts that cells share (at most 1 GiB),
// and a row. Linear in the unpacked size.
Status read_workbook(const logs::RegularFile& file, const TakeSheetRow& take, const EndSheet& end);

}  // namespace qdedup::import
