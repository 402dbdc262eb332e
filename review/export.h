#pragma once

#include <cstdint>
#include <ostream>

#include "base/result.h"
#include "review/deletion_list.h"

namespace qdedup::review {

enum class ExportFormat { csv, tsv, jsonl };

// Writes a deletion list, header first where the format has one, and says how many entries it wrote. Columns:
// iteration, delete_id, keep_id, similarity, distance, length, confidence, reasons, status, decision, note,
// delete_text, keep_text.
//   csv    RFC 4180 (CRLF, quotes where needed) with a UTF-8 byte-order mark; a text cell that starts with
//          = + - @ TAB or CR gets a leading '
//   tsv    tabs, line feeds and carriage returns within a text become spaces
//   jsonl  the same keys; ids, distances and lengths as numbers, similarity as a number with two decimals
// Fails with ErrorCode::io when `out` takes no more, and with whatever error the stream ends in.
Result<std::uint64_t> export_list(const DeletionStream& entries, ExportFormat format, std::ostream& out);

}  // namespace qdedup::review
