#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "db/store.h"
#include "review/deletion_list.h"

namespace qdedup::review {

enum class ExportFormat { csv, tsv, jsonl };

// Writes a deletion list, header first where the format has one. Columns:
// iteration, delete_id, keep_id, similarity, distance, length, confidence, reasons, status, decision, note,
// delete_text, keep_text.
//   csv    RFC 4180 (CRLF, quotes where needed) with a UTF-8 byte-order mark; a text cell that starts with
//          = + - @ TAB or CR gets a leading '
//   tsv    tabs, line feeds and carriage returns within a text become spaces
//   jsonl  the same keys; ids, distances and lengths as numbers, similarity as a number with two decimals
// Fails with ErrorCode::io when `out` takes no more, and with whatever error the stream ends in.
Status export_list(const DeletionStream& entries, ExportFormat format, std::ostream& out);

// Writes all classes of two questions or more, a line for each member but the representative:
// representative, id, similarity, distance, length, confidence, status, iteration, compared_with; by
// representative, then id.
Status export_classes(db::Store& store, ExportFormat format, std::ostream& out);

struct UndoCounts {
  std::uint64_t written = 0;
  std::uint64_t without_text = 0;  // left the bank before: nothing to restore them from
};

// Writes what it takes to put deleted questions back, as JSON lines that `qdedup import` reads: id, text,
// answer where there is one, and beside them keep_id. Fails as export_list does.
Result<UndoCounts> write_undo_list(const DeletionStream& entries, std::ostream& out);

// A text as a spreadsheet may show it without taking it for a formula (OWASP, "CSV injection"): with a
// leading ' where it starts with TAB or CR, or with = + - @ ＝ ＋ － ＠ after any white space; or with such a
// thing after any number of '.
std::string without_formula(std::string_view text, char separator = ',');

// The text that without_formula() made `cell` of; a cell that it would not make is left as it is.
std::string without_guard(std::string_view cell, char separator = ',');

// A cell of RFC 4180: in quotes where it holds a comma, a quote, CR or LF, and what other programs split at,
// or take for a quote: ; TAB | '.
std::string csv_cell(std::string_view text);

// Both fail with ErrorCode::io when `out` takes no more, whether it says so by its state or by an exception.
Status write_bytes(std::ostream& out, std::string_view bytes);
Status flush(std::ostream& out);

}  // namespace qdedup::review
