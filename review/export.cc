#include "review/export.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json.h"
#include "base/utf8.h"
#include "db/fingerprints.h"

namespace qdedup::review {
namespace {

template <class Action>
Status checked(std::ostream& out, Action action) {
  try {
    action();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, std::string("output: ") + exception.what()};
  }
  if (!out) return Error{ErrorCode::io, "output: cannot be written"};
  return {};
}

constexpr std::array<std::string_view, 8> signs = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
// Unicode's white space, and some of what has no width.
constexpr auto blanks = std::to_array<std::string_view>(
    {" ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085", "\u00A0",
     "\u1680", "\u180E", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
     "\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u200B", "\u200C", "\u200D",
     "\u2028", "\u2029", "\u202F", "\u205F", "\u2060", "\u3000", "\uFEFF"});

// In TSV too, a program may take " for a text delimiter, so that the text begins after it.
bool starts_formula(std::string_view text, char separator) {
  if (text.starts_with('\t') || text.starts_with('\r')) return true;
  if (separator == '\t' && text.starts_with('"')) return true;
  while (!prefix_in(blanks, text).empty()) text.remove_prefix(prefix_in(blanks, text).size());
  return !prefix_in(signs, text).empty();
}

// With any number of ' before a formula, removing or adding one gives such a text again.
bool takes_guard(std::string_view text, char separator) {
  text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
  return starts_formula(text, separator);
}

constexpr bool is_number(CellKind kind) {
  return kind == CellKind::number || kind == CellKind::shortest_number || kind == CellKind::id;
}

using Entry = DeletionEntry;
using Member = db::ClassMember;
constexpr CellKind in_digits = CellKind::number;
constexpr CellKind in_terms = CellKind::term;
constexpr CellKind in_words = CellKind::text;

constexpr std::array list_columns{
    ListColumn<Entry>{"iteration", in_digits, [](const Entry& e) { return std::to_string(e.row.iteration); }},
    ListColumn<Entry>{"delete_id", CellKind::id,
                      [](const Entry& e) { return std::to_string(e.question.id); }},
    ListColumn<Entry>{"keep_id", CellKind::id, [](const Entry& e) { return std::to_string(e.keeper.id); }},
    ListColumn<Entry>{"similarity", in_digits,
                      [](const Entry& e) { return similarity_percent(e.row.distance, e.row.length); }},
    ListColumn<Entry>{"distance", in_digits,
                      [](const Entry& e) { return e.row.by_sets ? "" : std::to_string(e.row.distance); }},
    ListColumn<Entry>{"length", in_digits,
                      [](const Entry& e) { return e.row.by_sets ? "" : std::to_string(e.row.length); }},
    ListColumn<Entry>{"confidence", in_terms,
                      [](const Entry& e) { return std::string(name(e.row.confidence)); }},
    ListColumn<Entry>{"reasons", in_terms, [](const Entry& e) { return e.row.reasons.text(); }},
    ListColumn<Entry>{"risk", in_digits, [](const Entry& e) { return text_of(e.row.risk); }},
    ListColumn<Entry>{"status", in_terms, [](const Entry& e) { return std::string(name(e.row.status)); }},
    ListColumn<Entry>{"decision", in_terms, [](const Entry&) { return std::string(); }},
    ListColumn<Entry>{"note", in_words, [](const Entry& e) { return e.row.note; }},
    ListColumn<Entry>{"delete_text", in_words, [](const Entry& e) { return e.question.original_text(); }},
    ListColumn<Entry>{"keep_text", in_words, [](const Entry& e) { return e.keeper.original_text(); }},
};

constexpr std::array class_columns{
    ListColumn<Member>{"representative", in_digits,
                       [](const Member& m) { return std::to_string(m.representative); }},
    ListColumn<Member>{"id", in_digits, [](const Member& m) { return std::to_string(m.question); }},
    ListColumn<Member>{"similarity", CellKind::shortest_number,
                       [](const Member& m) { return similarity_percent(m.distance, m.length); }},
    ListColumn<Member>{"distance", in_digits,
                       [](const Member& m) { return m.by_sets ? "" : std::to_string(m.distance); }},
    ListColumn<Member>{"length", in_digits,
                       [](const Member& m) { return m.by_sets ? "" : std::to_string(m.length); }},
    ListColumn<Member>{"confidence", in_terms,
                       [](const Member& m) { return std::string(name(m.confidence)); }},
    ListColumn<Member>{"risk", in_digits, [](const Member& m) { return text_of(m.risk); }},
    ListColumn<Member>{"status", in_terms, [](const Member& m) { return m.status; }},
    ListColumn<Member>{"iteration", in_digits,
                       [](const Member& m) { return m.iteration ? std::to_string(*m.iteration) : ""; }},
    ListColumn<Member>{"compared_with", in_digits,
                       [](const Member& m) { return std::to_string(m.compared_with); }},
};

constexpr std::array near_columns{
    ListColumn<NearRow>{"id", in_digits, [](const NearRow& r) { return std::to_string(r.id); }},
    ListColumn<NearRow>{"near_id", in_digits, [](const NearRow& r) { return std::to_string(r.near_id); }},
    ListColumn<NearRow>{"similarity", in_digits,
                        [](const NearRow& r) { return r.hundredths ? percent_digits(*r.hundredths) : ""; }},
    ListColumn<NearRow>{"distance", in_digits,
                        [](const NearRow& r) { return r.distance ? std::to_string(*r.distance) : ""; }},
    ListColumn<NearRow>{"text", in_words, [](const NearRow& r) { return r.text; }},
    ListColumn<NearRow>{"near_text", in_words, [](const NearRow& r) { return r.near_text; }},
};

constexpr std::array near_class_columns{
    ListColumn<NearClassRow>{"representative", in_digits,
                             [](const NearClassRow& r) { return std::to_string(r.representative); }},
    ListColumn<NearClassRow>{"members", in_digits,
                             [](const NearClassRow& r) { return std::to_string(r.members); }},
    ListColumn<NearClassRow>{"id", in_digits, [](const NearClassRow& r) { return std::to_string(r.id); }},
};

// The results of `cell_of` for all columns, separated by `separator`.
template <class Columns, class CellOf>
std::string joined(const Columns& columns, char separator, CellOf cell_of) {
  std::string row;
  for (const auto& column : columns) {
    if (!row.empty()) row += separator;
    row += cell_of(column);
  }
  return row;
}

std::string csv_text(CellKind kind, const std::string& cell) {
  const std::string guarded = is_number(kind) ? cell : without_formula(cell, ',');
  // Semicolons separate terms, so they need no quotes.
  const bool is_plain = kind == CellKind::term && guarded.find_first_of(",\"\r\n") == std::string::npos;
  return is_plain ? guarded : csv_cell(guarded);
}

std::string tsv_text(CellKind kind, std::string cell) {
  const auto breaks_line = [](char c) { return c == '\t' || c == '\n' || c == '\r'; };
  std::ranges::replace_if(cell, breaks_line, ' ');
  return is_number(kind) ? cell : without_formula(cell, '\t');
}

std::string json_value(CellKind kind, const std::string& cell) {
  if (!is_number(kind)) return json_text(cell);
  if (cell.empty()) return "null";
  return kind == CellKind::shortest_number ? json_text(std::stod(cell)) : cell;
}

template <class Columns>
std::string header_of(const Columns& columns, ExportFormat format) {
  const auto name = [](const auto& column) { return column.name; };
  if (format == ExportFormat::csv) return std::string(byte_order_mark) + joined(columns, ',', name) + "\r\n";
  return format == ExportFormat::tsv ? joined(columns, '\t', name) + '\n' : "";
}

template <class Columns, class Row>
std::string row_of(const Columns& columns, const Row& row, ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      return joined(columns, ',', [&](const auto& c) { return csv_text(c.kind, c.cell(row)); }) + "\r\n";
    case ExportFormat::tsv:
      return joined(columns, '\t', [&](const auto& c) { return tsv_text(c.kind, c.cell(row)); }) + '\n';
    case ExportFormat::jsonl:
      break;
  }
  const auto member = [&](const auto& c) {
    return '"' + std::string(c.name) + "\":" + json_value(c.kind, c.cell(row));
  };
  return '{' + joined(columns, ',', member) + "}\n";
}

std::string undo_row(const DeletionEntry& entry) {
  Json json = {{"id", entry.question.id}, {"text", entry.question.original_text()}};
  if (const auto& answer = entry.question.original_answer()) json["answer"] = *answer;
  if (entry.question.original.images) json["images"] = db::images_of(entry.question);
  if (entry.question.arrived_at) json["arrived_at"] = *entry.question.arrived_at;
  json["keep_id"] = entry.keeper.id;
  return json_text(json) + '\n';
}

}  // namespace

std::span<const ListColumn<DeletionEntry>> deletion_columns() { return list_columns; }

ExportFormat export_format_named(std::string_view name) {
  if (name == "tsv") return ExportFormat::tsv;
  return name == "jsonl" ? ExportFormat::jsonl : ExportFormat::csv;
}

Status write_bytes(std::ostream& out, std::string_view bytes) {
  return checked(out, [&] { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

Status flush(std::ostream& out) {
  return checked(out, [&] { out.flush(); });
}

std::string without_formula(std::string_view text, char separator) {
  return (takes_guard(text, separator) ? "'" : "") + std::string(text);
}

std::string without_guard(std::string_view cell, char separator) {
  const bool guarded = cell.starts_with('\'') && takes_guard(cell, separator);
  return std::string(guarded ? cell.substr(1) : cell);
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n;\t|'") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

Status export_list(const DeletionStream& entries, ExportFormat format, std::ostream& out) {
  QDEDUP_TRY(write_bytes(out, header_of(list_columns, format)));
  DeletionEntry entry;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, entries(entry));
    if (!more) return flush(out);
    QDEDUP_TRY(write_bytes(out, row_of(list_columns, entry, format)));
  }
}

Result<std::uint64_t> export_classes(db::Store& store, db::ClassOrder order, ExportFormat format,
                                     std::ostream& out) {
  QDEDUP_TRY(write_bytes(out, header_of(class_columns, format)));
  QDEDUP_ASSIGN_OR_RETURN(db::ClassCursor members, db::Classes(store).members(order));
  for (std::uint64_t lines = 0;; ++lines) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::ClassMember> member, members.next());
    if (!member) {
      QDEDUP_TRY(flush(out));
      return lines;
    }
    QDEDUP_TRY(write_bytes(out, row_of(class_columns, *member, format)));
  }
}

Status export_near_pairs(const std::function<std::optional<NearRow>()>& next, db::Bank& bank,
                         ExportFormat format, std::ostream& out) {
  const auto text_of = [&](QuestionId id) -> Result<std::string> {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> question, bank.find(id));
    return question ? question->original_text() : std::string();
  };
  QDEDUP_TRY(write_bytes(out, header_of(near_columns, format)));
  while (std::optional<NearRow> row = next()) {
    QDEDUP_ASSIGN_OR_RETURN(row->text, text_of(row->id));
    QDEDUP_ASSIGN_OR_RETURN(row->near_text, text_of(row->near_id));
    QDEDUP_TRY(write_bytes(out, row_of(near_columns, *row, format)));
  }
  return flush(out);
}

Status export_near_classes(std::span<const NearClassRow> rows, ExportFormat format, std::ostream& out) {
  QDEDUP_TRY(write_bytes(out, header_of(near_class_columns, format)));
  for (const NearClassRow& row : rows) QDEDUP_TRY(write_bytes(out, row_of(near_class_columns, row, format)));
  return flush(out);
}

Result<UndoList> write_undo_list(const DeletionStream& entries, std::ostream& out) {
  UndoList list;
  DeletionEntry entry;
  QuestionId last = 0;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, entries(entry));
    if (!more) break;
    if (std::exchange(last, entry.question.id) == entry.question.id) continue;
    if (entry.question.original_text().empty()) {
      ++list.without_text;
      continue;
    }
    QDEDUP_TRY(write_bytes(out, undo_row(entry)));
    list.written.push_back(entry.question.id);
  }
  QDEDUP_TRY(flush(out));
  return list;
}

}  // namespace qdedup::review
