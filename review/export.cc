#include "review/export.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "review/csv_cell.h"
#include "review/list_columns.h"
#include "review/output.h"

namespace qdedup::review {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// The cells that `cell_of` makes of each column, with `separator` between them.
template <class CellOf>
std::string joined(char separator, CellOf cell_of) {
  std::string row;
  for (const auto& column : list_columns()) {
    if (!row.empty()) row += separator;
    row += cell_of(column);
  }
  return row;
}

std::string tsv_cell(std::string cell) {
  const auto breaks_line = [](char c) { return c == '\t' || c == '\n' || c == '\r'; };
  std::ranges::replace_if(cell, breaks_line, ' ');
  return cell;
}

std::string json_string(std::string text) {
  using nlohmann::ordered_json;
  return ordered_json(std::move(text)).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string csv_row(const DeletionEntry& entry) {
  const auto cell = [&](const ListColumn& column) {
    const auto content = column.cell(entry);
    return csv_cell(column.text ? without_formula(content) : content);
  };
  return joined(',', cell) + "\r\n";
}

std::string tsv_row(const DeletionEntry& entry) {
  const auto cell = [&](const ListColumn& column) { return tsv_cell(column.cell(entry)); };
  return joined('\t', cell) + '\n';
}

// Numbers are set in as they stand, because a JSON library would write 80.00 as 80.0.
std::string jsonl_row(const DeletionEntry& entry) {
  const auto member = [&](const ListColumn& column) {
    auto content = column.cell(entry);
    const auto value = column.text ? json_string(std::move(content)) : content;
    return '"' + std::string(column.name) + "\":" + value;
  };
  return '{' + joined(',', member) + "}\n";
}

std::string header_of(ExportFormat format) {
  const auto name = [](const ListColumn& column) { return column.name; };
  switch (format) {
    case ExportFormat::csv:
      return std::string(byte_order_mark) + joined(',', name) + "\r\n";
    case ExportFormat::tsv:
      return joined('\t', name) + '\n';
    case ExportFormat::jsonl:
      break;
  }
  return {};
}

std::string row_of(const DeletionEntry& entry, ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      return csv_row(entry);
    case ExportFormat::tsv:
      return tsv_row(entry);
    case ExportFormat::jsonl:
      break;
  }
  return jsonl_row(entry);
}

}  // namespace

Result<std::uint64_t> export_list(const DeletionStream& entries, ExportFormat format, std::ostream& out) {
  QDEDUP_TRY(write_bytes(out, header_of(format)));
  DeletionEntry entry;
  for (std::uint64_t written = 0;; ++written) {
    auto more = entries(entry);
    if (!more.ok()) return std::move(more).error();
    if (!*more) {
      QDEDUP_TRY(flush(out));
      return written;
    }
    QDEDUP_TRY(write_bytes(out, row_of(entry, format)));
  }
}

}  // namespace qdedup::review
