#include "review/decision_list.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json.h"
#include "base/user_name.h"
#include "import/delimited_reader.h"
#include "import/workbook_reader.h"
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

bool is_decided(const ListCells& cells) {
  return !import::without_blanks(cells[decision].value_or("")).empty();
}

Status take_cells(ListPlace place, ListCells& cells, ListUse use, const TakeRow& take,
                  const TakeProblem& problem) {
  const auto error = problem_of(cells);
  if (use == ListUse::decisions && !is_decided(cells) && (error || !cells[delete_id])) return {};
  if (error) {
    problem(place, *error);
    return {};
  }
  ListedRow row;
  row.place = std::move(place);
  row.iteration = number_of(cells[iteration]);
  row.question = *number_of(cells[delete_id]);
  row.keeper = number_of(cells[keep_id]);
  row.decision = in_lower_case(import::without_blanks(cells[decision].value_or("")));
  row.note = note_in(cells[note].value_or(""));
  row.question_text = std::move(cells[delete_text]);
  row.keeper_text = std::move(cells[keep_text]);
  if (!is_note(row.note)) {
    problem(row.place, {std::string(note_rule), import::excerpt(row.note)});
    return {};
  }
  return take(std::move(row));
}

// The position of each column in a header.
using Positions = std::array<std::optional<std::size_t>, column_names.size()>;

Result<Positions> positions_in(const std::vector<std::string>& header, const std::string& name, ListUse use) {
  const std::vector<Column> must = needed(use);
  auto found = import::columns_in(header, column_names,
                                  [&](std::size_t column) { return std::ranges::count(must, column) > 0; });
  if (!found.ok()) return std::move(found).error().within(name);
  return found;
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
  if (rows.problem()) {
    return Error{ErrorCode::data,
                 name + ": header: " + rows.problem()->reason +
                     (rows.problem()->detail.empty() ? "" : " (" + rows.problem()->detail + ")")};
  }
  const std::size_t width = rows.fields().size();
  QDEDUP_ASSIGN_OR_RETURN(const Positions positions, positions_in(rows.fields(), name, use));
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, rows.next());
    if (!more) return {};
    const ListPlace place{.line = rows.lines().number()};
    if (rows.problem()) {
      problem(place, *rows.problem());
      continue;
    }
    if (rows.fields().size() != width) {
      problem(place, import::wrong_field_count(rows.fields().size(), width));
      continue;
    }
    ListCells cells = cells_of(rows.fields(), positions, format == QuestionFormat::tsv ? '\t' : ',');
    QDEDUP_TRY(take_cells(place, cells, use, take, problem));
  }
}

// The rows of a workbook's sheets.
class WorkbookRows {
 public:
  WorkbookRows(std::string name, ListUse use, const TakeRow& take, const TakeProblem& problem)
      : name_(std::move(name)), use_(use), take_(take), problem_(problem) {}

  Status take(const import::Sheet& sheet, import::SheetRow& row) {
    if (place_.sheet != sheet.number) begin(sheet);
    place_.line = row.row;
    return positions_ ? take_row(row) : find_header(sheet, row);
  }

  // What stands behind the rows of a sheet.
  Status end(const import::Sheet& sheet) {
    if (place_.sheet != sheet.number || !positions_) return {};
    if (hidden_row_ && !sheet.is_filtered) {
      return bad_list("row " + std::to_string(*hidden_row_) +
                      " is hidden, though by no filter, and would count: show all rows");
    }
    QDEDUP_TRY(expect_apart(sheet.merged, "are merged: unmerge them"));
    return expect_apart(sheet.formulas,
                        "are filled by a formula, which is not calculated: paste them as values");
  }

  // Whether there was a list.
  [[nodiscard]] Status found() const {
    if (is_found_) return {};
    return Error{ErrorCode::data,
                 name_ + ": no sheet has a row that names the columns of a list, such as delete_id"};
  }

 private:
  void begin(const import::Sheet& sheet) {
    place_.sheet = sheet.number;
    place_.sheet_name = std::make_shared<const std::string>(import::excerpt(sheet.name, 100));
    positions_.reset();
    hidden_row_.reset();
  }

  [[nodiscard]] std::string shown_sheet() const { return name_ + ": sheet " + *place_.sheet_name; }

  [[nodiscard]] Error bad_list(const std::string& reason) const {
    return {ErrorCode::data, shown_sheet() + ": " + reason};
  }

  [[nodiscard]] static std::uint32_t column_at(std::size_t position) {
    return static_cast<std::uint32_t>(position + 1);
  }

  [[nodiscard]] static import::SheetCell* cell_at(import::SheetRow& row, std::size_t position) {
    const auto found =
        std::ranges::lower_bound(row.cells, column_at(position), {}, &import::SheetCell::column);
    return found == row.cells.end() || found->column != column_at(position) ? nullptr : &*found;
  }

  Status find_header(const import::Sheet& sheet, import::SheetRow& row) {
    const bool is_header = std::ranges::any_of(row.cells, [](const import::SheetCell& cell) {
      return cell.text == column_names[delete_id] || cell.text == column_names[keep_id];
    });
    if (!is_header) return {};
    if (sheet.is_hidden) return bad_list("holds a list, but is hidden: show it, or delete it");
    if (row.is_hidden) return bad_list("the header, row " + std::to_string(row.row) + ", is hidden: show it");
    std::vector<std::string> header(row.cells.back().column);
    for (import::SheetCell& cell : row.cells) header[cell.column - 1] = cell.text;
    QDEDUP_ASSIGN_OR_RETURN(const Positions positions, positions_in(header, shown_sheet(), use_));
    for (const auto& position : positions) {
      if (!position || cell_at(row, *position)->problem.empty()) continue;
      return bad_list("the header, " + import::cell_name(column_at(*position), row.row) + ", " +
                      std::string(cell_at(row, *position)->problem));
    }
    const Column decisive = needed(use_).back();
    if (sheet.hides(column_at(*positions.at(decisive))))
      return bad_list("the column " + std::string(column_names.at(decisive)) + " is hidden: show it");
    positions_ = positions;
    header_row_ = row.row;
    is_found_ = true;
    return {};
  }

  Status take_row(import::SheetRow& row) {
    ListCells cells;
    bool is_blank = true;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& position = positions_->at(i);
      if (!position) continue;
      cells.at(i) = std::string();
      import::SheetCell* const cell = cell_at(row, *position);
      if (cell == nullptr) continue;
      if (!cell->problem.empty()) {
        problem_(place_, {std::string(column_names.at(i)) + " " + std::string(cell->problem),
                          import::cell_name(cell->column, row.row)});
        return {};
      }
      is_blank = is_blank && cell->text.empty();
      cells.at(i) = without_guard(cell->text);
    }
    if (is_blank) return {};
    const bool counts = use_ == ListUse::questions || is_decided(cells);
    if (row.is_hidden && counts && !hidden_row_) hidden_row_ = row.row;
    return take_cells(place_, cells, use_, take_, problem_);
  }

  // That no such range covers a cell of the list.
  [[nodiscard]] Status expect_apart(const std::vector<import::CellRange>& ranges,
                                    const std::string& what) const {
    for (const import::CellRange& range : ranges) {
      if (range.first_row > place_.line || range.last_row < header_row_) continue;
      for (const auto& position : *positions_) {
        if (!position || column_at(*position) < range.first_column ||
            column_at(*position) > range.last_column)
          continue;
        return bad_list(import::cell_name(range.first_column, range.first_row) + ":" +
                        import::cell_name(range.last_column, range.last_row) + " " + what);
      }
    }
    return {};
  }

  std::string name_;
  ListUse use_;
  const TakeRow& take_;
  const TakeProblem& problem_;
  ListPlace place_;                     // of the last row
  std::optional<Positions> positions_;  // once the sheet's header was found
  std::uint32_t header_row_ = 0;
  std::optional<std::uint32_t> hidden_row_;  // the first that has a decision
  bool is_found_ = false;
};

Status read_sheets(const logs::RegularFile& file, ListUse use, const TakeRow& take,
                   const TakeProblem& problem) {
  WorkbookRows rows(file.path(), use, take, problem);
  QDEDUP_TRY(import::read_workbook(
      file, [&](const import::Sheet& sheet, import::SheetRow& row) { return rows.take(sheet, row); },
      [&](const import::Sheet& sheet) { return rows.end(sheet); }));
  return rows.found();
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
  if (use == ListUse::decisions && cells[decision] && !is_decided(cells)) return std::nullopt;
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
    const ListPlace place{.line = lines.number()};
    if (lines.too_long()) {
      problem(place, {std::string(import::reason::too_long), ""});
      continue;
    }
    if (text.empty()) continue;
    if (!json) cells[delete_id] = std::string(text);
    auto reason = json ? cells_of(text, use, cells) : std::nullopt;
    if (reason) {
      problem(place, {*std::move(reason), ""});
      continue;
    }
    QDEDUP_TRY(take_cells(place, cells, use, take, problem));
  }
}

}  // namespace

std::string ListPlace::shown() const {
  if (!sheet_name) return "line " + std::to_string(line);
  return "row " + std::to_string(line) + " of sheet " + *sheet_name;
}

std::string shown(const import::RowError& error) {
  return error.reason + (error.detail.empty() ? "" : " (" + error.detail + ")");
}

Status read_list(const std::string& path, const logs::Files& files, ListUse use, const TakeRow& take,
                 const TakeProblem& problem) {
  QDEDUP_ASSIGN_OR_RETURN(const auto file, files.open_argument(path));
  std::array<char, 4> start{};
  QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, file->read_at(0, start));
  if (import::is_workbook({start.data(), count})) return read_sheets(*file, use, take, problem);
  QDEDUP_ASSIGN_OR_RETURN(auto lines, import::open_lines(path, files));
  return read_list(std::move(lines), use, take, problem);
}

Status read_list(import::LineReader lines, ListUse use, const TakeRow& take, const TakeProblem& problem) {
  QDEDUP_ASSIGN_OR_RETURN(const auto first, import::first_line(lines));
  const std::string_view line = first.value_or("");
  const auto named = import::format_of_name(lines.name());
  const bool has_ids = first ? import::is_number(import::without_blanks(line)) : !named;
  if (use == ListUse::questions && has_ids) {
    return read_lines(std::move(lines), false, use, take, problem);
  }
  const QuestionFormat format = named.value_or(import::format_of_line(line));
  if (format == QuestionFormat::jsonl) return read_lines(std::move(lines), true, use, take, problem);
  return read_delimited(std::move(lines), format, use, take, problem);
}

}  // namespace qdedup::review
