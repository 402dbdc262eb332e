#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/classes.h"
#include "db/store.h"
#include "review/deletion_list.h"

namespace qdedup::review {

// A term is one or more of our own words; a text may contain anything. In JSON lines, a number is written as
// it is (80.00) or in its shortest form (80.0).
enum class CellKind { term, text, id, number, shortest_number };

// A column of a list, with the cell of a row as text.
template <class Row>
struct ListColumn {
  std::string_view name;
  CellKind kind = CellKind::text;
  std::string (*cell)(const Row& row);
};

// Those of a deletion list, in order.
std::span<const ListColumn<DeletionEntry>> deletion_columns();

enum class ExportFormat { csv, tsv, jsonl };

// csv for all other names.
ExportFormat export_format_named(std::string_view name);

// Writes a deletion list, with a header if the format has one. Columns:
//   iteration, delete_id, keep_id, similarity, distance, length, confidence, reasons, risk, status, decision,
//   note, delete_text, keep_text.
//   csv    RFC 4180 (CRLF, quotes where needed) with a UTF-8 byte-order mark; a text cell that starts with
//          = + - @ TAB or CR gets a leading '
//   tsv    tabs, line feeds and carriage returns within a text become spaces
//   jsonl  the same keys; ids, distances and lengths as numbers, similarity and risk as numbers with two
//          and four decimals
// Fails with ErrorCode::io if writing to `out` fails, or with the stream's error.
Status export_list(const DeletionStream& entries, ExportFormat format, std::ostream& out);

// Writes all classes of at least two questions, one line for each member but the representative:
// representative, id, similarity, distance, length, confidence, risk, status, iteration, compared_with.
// Returns how many lines.
Result<std::uint64_t> export_classes(db::Store& store, db::ClassOrder order, ExportFormat format,
                                     std::ostream& out);

struct UndoList {
  std::vector<QuestionId> written;
  std::uint64_t without_text = 0;  // already left the bank, so they cannot be restored
};

// Two questions that are near each other by some measure.
struct NearRow {
  QuestionId id = 0;
  QuestionId near_id = 0;
  std::optional<std::uint32_t> hundredths{};  // of a percent, that they share
  std::optional<std::uint32_t> distance{};    // in bits
  std::string text{};
  std::string near_text{};
};

// Writes pairs until there are none, with the texts of the bank: id, near_id, similarity, distance, text,
// near_text. Fails as export_list does.
Status export_near_pairs(const std::function<std::optional<NearRow>()>& next, db::Bank& bank,
                         ExportFormat format, std::ostream& out);

struct NearClassRow {
  QuestionId representative = 0;
  std::uint64_t members = 0;
  QuestionId id = 0;
};

// The same of classes: representative, members, id.
Status export_near_classes(std::span<const NearClassRow> rows, ExportFormat format, std::ostream& out);

// Writes what is needed to put deleted questions back, as JSON lines that `qdedup import` reads: id, text,
// answer, images and time of arrival if there are any, and additionally keep_id; of a question that is listed
// several times one line. Fails as export_list does.
Result<UndoList> write_undo_list(const DeletionStream& entries, std::ostream& out);

// A text that spreadsheets do not take for a formula (OWASP, "CSV injection"): adds a leading ' if it starts
// with TAB or CR, or, after any white space, with = + - @ ＝ ＋ － ＠; also if that follows any number of '.
std::string without_formula(std::string_view text, char separator = ',');

// The inverse of without_formula(); a cell that it could not have produced stays as it is.
std::string without_guard(std::string_view cell, char separator = ',');

// A cell of RFC 4180: in quotes if it contains a comma, a quote, CR or LF, or what other programs take for a
// separator or quote: ; TAB | '.
std::string csv_cell(std::string_view text);

// Both fail with ErrorCode::io if writing to `out` fails, whether that shows in its state or as an exception.
Status write_bytes(std::ostream& out, std::string_view bytes);
Status flush(std::ostream& out);

}  // namespace qdedup::review
