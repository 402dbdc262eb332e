#include "review/decision_list.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/user_name.h"
#include "import/delimited_reader.h"
#include "import/line_reader.h"
#include "import/question_reader.h"
#include "review/export.h"

namespace qdedup::review {
namespace {

using import::QuestionFormat;

enum Column : std::size_t { iteration, delete_id, keep_id, decision, note, delete_text, keep_text };
constexpr std::array<std::string_view, 7> column_names = {"iteration", "delete_id",   "keep_id",  "decision",
                                                          "note",      "delete_text", "keep_text"};

// The cells of a row by column; none if the list lacks the column.
using ListCells = std::array<std::optional<std::string>, column_names.size()>;

std::vector<Column> needed(ListUse use) {
  return use == ListUse::decisions ? std::vector{delete_id, keep_id, decision} : std::vector{delete_id};
}

std::string decision_word(std::string_view cell) {
  std::string word(import::without_blanks(cell));
  std::ranges::transform(word, word.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return word;
}

std::optional<import::RowError> problem_of(const ListCells& cells) {
  for (const Column text : {decision, note, delete_text, keep_text}) {
    if (!cells.at(text)) continue;
    if (const auto error = import::check_text(*cells.at(text))) {
      return import::RowError{std::string(column_names.at(text)) + ": " + error->reason, ""};
    }
  }
  for (const Column id : {iteration, delete_id, keep_id}) {
    if (!cells.at(id) || import::parse_id(import::without_blanks(*cells.at(id)))) continue;
    return import::row_error(std::string(column_names.at(id)) + " is not an integer from 1 to 2^63-1",
                             *cells.at(id));
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_of(const std::optional<std::string>& cell) {
  return cell ? import::parse_id(import::without_blanks(*cell)) : std::nullopt;
}

// Spreadsheets end the lines of a cell in several ways, and have tabs.
std::string note_in(std::string_view cell) {
  std::string note;
  for (std::size_t at = 0; at < cell.size(); ++at) {
    if (cell.substr(at, 2) == "\r\n") continue;
    note += cell[at] == '\r' ? '\n' : cell[at] == '\t' ? ' ' : cell[at];
  }
  return note;
}

Status take_cells(std::uint64_t line, ListCells& cells, const TakeRow& take, const TakeProblem& problem) {
  if (const auto error = problem_of(cells)) {
    problem(line, *error);
    return {};
  }
  ListedRow row;
  row.line = line;
  row.iteration = number_of(cells[iteration]);
  row.question = *number_of(cells[delete_id]);
  row.keeper = number_of(cells[keep_id]);
  row.decision = decision_word(cells[decision].value_or(""));
  row.note = note_in(cells[note].value_or(""));
  row.question_text = std::move(cells[delete_text]);
  row.keeper_text = std::move(cells[keep_text]);
  if (!is_note(row.note)) {
    problem(line, {std::string(note_rule), import::excerpt(row.note)});
    return {};
  }
  return take(std::move(row));
}

// The position of each column in a header.
using Positions = std::array<std::optional<std::size_t>, column_names.size()>;

Result<Positions> positions_in(const std::vector<std::string>& header, const std::string& name, ListUse use) {
  Positions positions;
  for (std::size_t i = 0; i < column_names.size(); ++i) {
    const auto found = std::ranges::find(header, column_names.at(i));
    if (found == header.end()) continue;
    positions.at(i) = static_cast<std::size_t>(found - header.begin());
    if (std::find(found + 1, header.end(), column_names.at(i)) == header.end()) continue;
    return Error{ErrorCode::data,
                 name + ": the header names the column " + std::string(column_names.at(i)) + " twice"};
  }
  for (const Column column : needed(use)) {
    if (positions.at(column)) continue;
    return Error{ErrorCode::data,
                 name + ": the header names no column " + std::string(column_names.at(column))};
  }
  return positions;
}

ListCells cells_of(const std::vector<std::string>& fields, const Positions& positions, char separator) {
  ListCells cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!positions.at(i)) continue;
    cells.at(i) = without_guard(fields[*positions.at(i)], separator);
  }
  return cells;
}

Status read_delimited(import::LineReader lines, QuestionFormat format, ListUse use, const TakeRow& take,
                      const TakeProblem& problem) {
  import::DelimitedRows rows(std::move(lines), format);
  const std::string name = rows.lines().name();
  QDEDUP_ASSIGN_OR_RETURN(const bool has_header, rows.next());
  if (!has_header) return Error{ErrorCode::data, name + ": there is no header"};
  if (rows.problem()) return Error{ErrorCode::data, name + ": header: " + rows.problem()->reason};
  const std::size_t width = rows.fields().size();
  QDEDUP_ASSIGN_OR_RETURN(const Positions positions, positions_in(rows.fields(), name, use));
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, rows.next());
    if (!more) return {};
    const std::uint64_t line = rows.lines().number();
    if (rows.problem()) {
      problem(line, *rows.problem());
      continue;
    }
    if (rows.fields().size() != width) {
      problem(line, {std::string(import::reason::field_count),
                     std::to_string(rows.fields().size()) + " instead of " + std::to_string(width)});
      continue;
    }
    ListCells cells = cells_of(rows.fields(), positions, format == QuestionFormat::tsv ? '\t' : ',');
    QDEDUP_TRY(take_cells(line, cells, take, problem));
  }
}

// The cells of a JSON object; or what is wrong with it.
std::optional<std::string> cells_of(std::string_view line, ListUse use, ListCells& cells) {
  const auto json = parse_json(line);
  if (!json.is_object()) return std::string(import::reason::not_an_object);
  for (std::size_t i = 0; i < column_names.size(); ++i) {
    const auto member = json.find(column_names.at(i));
    if (member == json.end() || member->is_null()) continue;
    if (!member->is_string() && !member->is_number_integer()) {
      return std::string(column_names.at(i)) + " is neither a string nor an integer";
    }
    cells.at(i) = member->is_string() ? member->get<std::string>() : member->dump();
  }
  for (const Column column : needed(use)) {
    if (!cells.at(column)) return std::string(column_names.at(column)) + " is missing";
  }
  return std::nullopt;
}

Status read_lines(import::LineReader lines, bool json, ListUse use, const TakeRow& take,
                  const TakeProblem& problem) {
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, lines.next());
    if (!more) return {};
    const std::string_view text = import::without_blanks(lines.text());
    ListCells cells;
    if (lines.too_long()) {
      problem(lines.number(), {std::string(import::reason::too_long), ""});
      continue;
    }
    if (text.empty()) continue;
    if (!json) cells[delete_id] = std::string(text);
    auto reason = json ? cells_of(text, use, cells) : std::nullopt;
    if (reason) {
      problem(lines.number(), {*std::move(reason), ""});
      continue;
    }
    QDEDUP_TRY(take_cells(lines.number(), cells, take, problem));
  }
}

}  // namespace

std::string shown(const import::RowError& error) {
  return error.reason + (error.detail.empty() ? "" : " (" + error.detail + ")");
}

Status read_list(const std::string& path, const logs::Files& files, ListUse use, const TakeRow& take,
                 const TakeProblem& problem) {
  QDEDUP_ASSIGN_OR_RETURN(auto lines, import::open_lines(path, files));
  return read_list(std::move(lines), use, take, problem);
}

Status read_list(import::LineReader lines, ListUse use, const TakeRow& take, const TakeProblem& problem) {
  QDEDUP_ASSIGN_OR_RETURN(const auto first, import::first_line(lines));
  const std::string_view line = first.value_or("");
  if (use == ListUse::questions && import::is_number(import::without_blanks(line))) {
    return read_lines(std::move(lines), false, use, take, problem);
  }
  const QuestionFormat format = import::format_of_name(lines.name()).value_or(import::format_of_line(line));
  if (format == QuestionFormat::jsonl) return read_lines(std::move(lines), true, use, take, problem);
  return read_delimited(std::move(lines), format, use, take, problem);
}

}  // namespace qdedup::review
