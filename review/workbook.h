#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "review/deletion_list.h"
#include "review/report_overview.h"

namespace qdedup::review {

// What a text ends with that a cell cannot hold as a whole.
inline constexpr std::string_view cut_text_end = "… [cut]";

// The longest text that is written as a whole, in UTF-16 code units. A cell holds 32,767.
inline constexpr std::size_t max_text_units = 32'735;

// Deletions of a sheet; a spreadsheet has 1,048,576 rows.
inline constexpr std::uint32_t max_rows_per_sheet = 1'000'000;

// A text as far as a cell holds it.
std::string text_in_cell(const std::string& text);

// Writes a deletion list as an XLSX workbook: the columns of export_list, ids as text, what differs of the
// two texts in red, and a choice of decisions; on further sheets the reasons, the counts and the settings.
// The same bytes for the same list. Made in a temporary file, which is looked over before it is written to
// `out`. Fails with ErrorCode::io if a file cannot be written, or with the stream's error.
Status export_workbook(const ReportHeader& header, const DeletionStream& entries, std::ostream& out,
                       std::uint32_t rows_per_sheet = max_rows_per_sheet);

}  // namespace qdedup::review
