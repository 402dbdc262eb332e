#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "logs/files.h"

namespace qdedup::import {

// A cell of a worksheet, as text. Nothing is calculated: what a formula last gave is not read.
struct SheetCell {
  std::string text;
  bool is_formula = false;
};

struct SheetRow {
  std::size_t sheet = 0;         // from 1
  std::uint64_t row = 0;         // from 1, as the spreadsheet counts
  std::vector<SheetCell> cells;  // by column; empty ones at the end are left out
};

// The longest text of a cell, in UTF-16 code units.
inline constexpr std::size_t max_cell_units = 32'767;

// Whether a file with such a beginning is to be read as a workbook.
bool is_workbook(std::string_view first_bytes);

// Reads the rows of all worksheets of an XLSX workbook (ECMA-376), as Excel, WPS and LibreOffice write it:
// their texts, numbers and errors as they stand in it, without formats. Macros and links are ignored.
// ErrorCode::data, beginning with the path, for what is no workbook, is damaged (checksums), has a document
// type, or has more than 4 GiB, 10,000 parts, 1 GiB of shared texts, which are held in memory, or 16 MiB in a
// row. Linear in the unpacked size, of which 16 GiB are read at most. Errors of `take` are passed on.
Status read_workbook(const logs::RegularFile& file, const std::function<Status(SheetRow& row)>& take);

}  // namespace qdedup::import
