#include "review/workbook.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <xlsxwriter.h>
#include <zip.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/file_descriptor.h"
#include "logs/files.h"
#include "logs/spooled_file.h"
#include "refine/pair_marks.h"
#include "refine/unicode.h"
#include "review/export.h"

namespace qdedup::review {
namespace {

// A cell with more runs of different style is hard to read, and spreadsheets open it slowly.
constexpr std::size_t max_runs = 2000;

constexpr const char* disk_full = "cannot be written: is the disk of temporary files full?";

Error failed(const std::string& reason) { return {ErrorCode::io, "the workbook: " + reason}; }

// Whether a text would be read as an escape, such as _x000D_, from here on.
bool looks_escaped(std::u32string_view text) {
  constexpr std::size_t length = 7;
  return text.size() >= length && text.starts_with(U"_x") && text[length - 1] == U'_' &&
         std::ranges::all_of(text.substr(2, 4), [](char32_t c) {
           return c < 0x80 && hexadecimal_value(static_cast<char>(c)) >= 0;
         });
}

// What XML cannot hold, and what would be read as an escape, becomes _xHHHH_.
std::string cell_text(std::u32string_view text) {
  std::u32string escaped;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char32_t c = text[at];
    constexpr char32_t first_printable = 0x20;
    const bool is_in_xml = c >= first_printable ? c != U'\uFFFE' && c != U'\uFFFF' : c == U'\t' || c == U'\n';
    if (!is_in_xml || looks_escaped(text.substr(at))) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "_x%04X_", static_cast<unsigned>(c));  // NOLINT(*-vararg)
      for (const char digit : std::string_view(code.data(), code.size() - 1))
        escaped += static_cast<char32_t>(digit);
    } else {
      escaped += c;
    }
  }
  return refine::to_utf8(escaped);
}

// How many UTF-16 code units the first character of a text takes in a cell.
std::size_t units_of(std::u32string_view text) {
  const std::string in_cell = cell_text(text.substr(0, 1));
  if (looks_escaped(text) || in_cell.size() > 4) return 7;
  constexpr char32_t first_of_two = 0x10000;
  return text.front() < first_of_two ? 1 : 2;
}

// A text for one cell, cut where it is longer.
std::u32string fitting(std::u32string text) {
  if (text.size() * 7 <= max_text_units) return text;
  std::size_t units = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    units += units_of(std::u32string_view(text).substr(at));
    if (units > max_text_units) return text.substr(0, at) + refine::to_utf32(cut_text_end);
  }
  return text;
}

struct Formats {
  lxw_format* header;
  lxw_format* cell;
  lxw_format* text;
  lxw_format* differing;
};

struct ColumnLook {
  std::string_view name;
  double width;
};
constexpr std::array looks = {ColumnLook{"delete_id", 21}, ColumnLook{"keep_id", 21},
                              ColumnLook{"reasons", 24},   ColumnLook{"decision", 12},
                              ColumnLook{"note", 24},      ColumnLook{"delete_text", 60},
                              ColumnLook{"keep_text", 60}};
constexpr double default_width = 10;

double width_of(std::string_view column) {
  const auto found = std::ranges::find(looks, column, &ColumnLook::name);
  return found == looks.end() ? default_width : found->width;
}

struct FreeWorkbook {
  void operator()(lxw_workbook* workbook) const { lxw_workbook_free(workbook); }
};

// The workbook that grows, row by row.
class WorkbookWriter {
 public:
  WorkbookWriter(const std::string& path, std::uint32_t rows_per_sheet) : rows_per_sheet_(rows_per_sheet) {
    lxw_workbook_options options{};
    options.constant_memory = LXW_TRUE;
    options.use_zip64 = LXW_TRUE;
    workbook_.reset(workbook_new_opt(path.c_str(), &options));
    if (!workbook_) return;  // begin_sheet() says so
    formats_ = {workbook_add_format(book()), workbook_add_format(book()), workbook_add_format(book()),
                workbook_add_format(book())};
    format_set_bold(formats_.header);
    for (lxw_format* format : {formats_.cell, formats_.text})
      format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
    format_set_text_wrap(formats_.text);
    format_set_font_color(formats_.differing, LXW_COLOR_RED);
  }

  void set_properties(const ReportHeader& header) {
    if (!workbook_) return;
    lxw_doc_properties properties{};
    std::string title = "Deletion list of iteration " + std::to_string(header.iteration.id);
    properties.title = title.data();
    const auto finished = parse_timestamp(header.iteration.finished_at);
    properties.created = finished ? std::chrono::system_clock::to_time_t(*finished) : 1;
    workbook_set_properties(book(), &properties);
  }

  // Takes a row of deletions, on a further sheet when one is full.
  Status add(const DeletionEntry& entry) {
    if (sheet_ == nullptr || row_ > rows_per_sheet_) {
      QDEDUP_TRY(finish_sheet());
      QDEDUP_TRY(begin_list());
    }
    const std::string question = entry.question.original_text();
    const std::string keeper = entry.keeper.original_text();
    const refine::PairMarks marks = refine::mark_pair(question, keeper);
    lxw_col_t position = 0;
    for (const auto& column : deletion_columns()) {
      if (column.name == "delete_text") {
        QDEDUP_TRY(write_marked(position, question, marks.question));
      } else if (column.name == "keep_text") {
        QDEDUP_TRY(write_marked(position, keeper, marks.keeper));
      } else {
        QDEDUP_TRY(write(position, column.kind, read_back_alike(column.cell(entry))));
      }
      ++position;
    }
    ++row_;
    return {};
  }

  // A sheet of names and values.
  Status add_table(const char* title, const std::vector<std::pair<std::string, std::string>>& rows) {
    QDEDUP_TRY(finish_sheet());
    QDEDUP_TRY(begin_sheet(title));
    worksheet_set_column(sheet_, 0, 0, width_of("delete_text"), nullptr);
    worksheet_set_column(sheet_, 1, 1, width_of("note"), nullptr);
    for (const auto& [name, value] : rows) {
      QDEDUP_TRY(write(0, CellKind::term, name));
      const bool is_number = !value.empty() && value.size() < 16 && std::ranges::all_of(value, is_digit);
      QDEDUP_TRY(write(1, is_number ? CellKind::number : CellKind::term, value));
      ++row_;
    }
    return {};
  }

  // A workbook without deletions has their header nevertheless.
  Status begin_list() {
    QDEDUP_TRY(begin_sheet(lists_ == 0 ? "deletions" : "deletions " + std::to_string(lists_ + 1)));
    ++lists_;
    lxw_col_t position = 0;
    for (const auto& column : deletion_columns()) {
      worksheet_set_column(sheet_, position, position, width_of(column.name), nullptr);
      worksheet_write_string(sheet_, 0, position, std::string(column.name).c_str(), formats_.header);
      if (column.name == "decision") decision_ = position;
      ++position;
    }
    worksheet_freeze_panes(sheet_, 1, 0);
    row_ = 1;
    is_list_ = true;
    return {};
  }

  [[nodiscard]] bool has_list() const { return lists_ > 0; }

  // Returns the size of each sheet's rows, in bytes of XML.
  Result<std::vector<std::uint64_t>> close() {
    QDEDUP_TRY(finish_sheet());
    const lxw_error error = workbook_close(workbook_.release());
    if (error != LXW_NO_ERROR) return failed(lxw_strerror(error));
    return std::move(sheet_bytes_);
  }

 private:
  lxw_workbook* book() { return workbook_.get(); }

  Status begin_sheet(const std::string& title) {
    sheet_ = workbook_ ? workbook_add_worksheet(book(), title.c_str()) : nullptr;
    row_ = 0;
    is_list_ = false;
    if (sheet_ == nullptr) return failed("no temporary file, or no memory, for another sheet");
    return {};
  }

  Status finish_sheet() {
    if (sheet_ == nullptr) return {};
    if (is_list_) finish_list();
    // The library does not look whether its rows could be written.
    lxw_worksheet_write_single_row(sheet_);
    FILE* const rows = sheet_->optimize_tmpfile;
    const bool is_written = std::fflush(rows) == 0 && std::ferror(rows) == 0;
    const off_t bytes = ftello(rows);
    sheet_ = nullptr;
    if (!is_written || bytes < 0) return failed(disk_full);
    sheet_bytes_.push_back(static_cast<std::uint64_t>(bytes));
    return {};
  }

  void finish_list() {
    const auto last_column = static_cast<lxw_col_t>(deletion_columns().size() - 1);
    worksheet_autofilter(sheet_, 0, 0, std::max(row_, 2U) - 1, last_column);
    worksheet_ignore_errors(sheet_, LXW_IGNORE_NUMBER_STORED_AS_TEXT, "A1:Z1048576");
    if (row_ == 1) return;
    std::array<const char*, 4> decisions = {"approve", "reject", "reset", nullptr};
    lxw_data_validation choice{};
    choice.validate = LXW_VALIDATION_TYPE_LIST;
    choice.value_list = const_cast<decltype(choice.value_list)>(decisions.data());  // NOLINT: it is only read
    choice.error_type = LXW_VALIDATION_ERROR_TYPE_WARNING;  // other words are understood as well
    worksheet_data_validation_range(sheet_, 1, decision_, row_ - 1, decision_, &choice);
  }

  // Cells have no guards here, but those of a list that came as CSV may: reading takes them off.
  static std::string read_back_alike(std::string cell) {
    return without_guard(cell) == cell ? std::move(cell) : "'" + cell;
  }

  Status write(lxw_col_t column, CellKind kind, const std::string& cell) {
    if (cell.empty()) return checked(worksheet_write_blank(sheet_, row_, column, formats_.cell));
    if (kind == CellKind::number || kind == CellKind::shortest_number)
      return checked(worksheet_write_number(sheet_, row_, column, std::stod(cell), formats_.cell));
    lxw_format* const format = kind == CellKind::text ? formats_.text : formats_.cell;
    const std::string text = cell_text(fitting(refine::to_utf32(cell)));
    return checked(worksheet_write_string(sheet_, row_, column, text.c_str(), format));
  }

  // What differs in red, as far as that is readable.
  Status write_marked(lxw_col_t column, const std::string& text, std::span<const refine::Mark> marks) {
    const std::u32string characters = fitting(refine::to_utf32(text));
    std::vector<std::string> runs;
    std::vector<lxw_rich_string_tuple> styled;
    std::size_t at = 0;
    const auto add_run = [&](std::size_t end, lxw_format* format) {
      end = std::min(end, characters.size());
      if (at >= end) return;
      runs.push_back(cell_text(std::u32string_view(characters).substr(at, end - at)));
      styled.push_back({format, nullptr});
      at = end;
    };
    for (const refine::Mark& mark : marks) {
      if ((mark.kinds & refine::differs) == 0) continue;
      add_run(mark.begin, nullptr);
      add_run(mark.end, formats_.differing);
    }
    add_run(characters.size(), nullptr);
    if (runs.size() < 2 || runs.size() > max_runs) return write(column, CellKind::text, text);
    std::vector<lxw_rich_string_tuple*> pointers;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      styled[i].string = runs[i].data();
      pointers.push_back(&styled[i]);
    }
    pointers.push_back(nullptr);
    const lxw_error error = worksheet_write_rich_string(sheet_, row_, column, pointers.data(), formats_.text);
    // The library counts the markup between the runs as well.
    if (error == LXW_ERROR_MAX_STRING_LENGTH_EXCEEDED) return write(column, CellKind::text, text);
    return checked(error);
  }

  [[nodiscard]] Status checked(lxw_error error) const {
    if (error == LXW_NO_ERROR) return {};
    return failed("row " + std::to_string(row_ + 1) + ": " + lxw_strerror(error));
  }

  std::unique_ptr<lxw_workbook, FreeWorkbook> workbook_;
  Formats formats_{};
  std::uint32_t rows_per_sheet_;
  lxw_worksheet* sheet_ = nullptr;
  std::uint32_t row_ = 0;
  std::size_t lists_ = 0;
  std::vector<std::uint64_t> sheet_bytes_;
  lxw_col_t decision_ = 0;
  bool is_list_ = false;
};

using Table = std::vector<std::pair<std::string, std::string>>;

// The most frequent first.
Table reasons_table(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
  Table rows = {{"reason", "deletions"}};
  for (const auto& [reason, count] : sorted) rows.emplace_back(reason, std::to_string(count));
  return rows;
}

Table summary_table(const ReportHeader& header, const ListSummary& summary) {
  Table rows = {{"iteration", std::to_string(header.iteration.id)},
                {"finished", header.iteration.finished_at},
                {"qdedup", header.iteration.version},
                {"deletions in this list", std::to_string(summary.entries)}};
  for (const refine::Confidence confidence : {refine::Confidence::safe, refine::Confidence::doubtful})
    rows.emplace_back(name(confidence), std::to_string(summary.with_confidence(confidence)));
  for (const auto& count : header.counts)
    rows.emplace_back(count.step + ": " + count.name, std::to_string(count.value));
  for (const auto& [setting, value] : header.settings) rows.emplace_back(setting, value);
  return rows;
}

// Writes the file. Returns what WorkbookWriter::close() does.
Result<std::vector<std::uint64_t>> fill(const ReportHeader& header, const DeletionStream& entries,
                                        const std::string& path, std::uint32_t rows_per_sheet) {
  WorkbookWriter writer(path, rows_per_sheet);
  writer.set_properties(header);
  ListSummary summary;
  std::map<std::string, std::uint64_t> reasons;
  DeletionEntry entry;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, entries(entry));
    if (!more) break;
    QDEDUP_TRY(writer.add(entry));
    summary.add(entry);
    for (const std::string_view reason : entry.row.reasons.names()) ++reasons[std::string(reason)];
  }
  if (!writer.has_list()) QDEDUP_TRY(writer.begin_list());
  QDEDUP_TRY(writer.add_table("reasons", reasons_table(reasons)));
  QDEDUP_TRY(writer.add_table("summary", summary_table(header, summary)));
  return writer.close();
}

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* part) const { zip_fclose(part); }
};

// The size of what stands between the tags of the rows of a sheet; 0 if it cannot be read.
std::uint64_t row_bytes(zip_t* archive, const std::string& name) {
  constexpr std::string_view begin_tag = "<sheetData>";
  constexpr std::string_view end_tag = "</sheetData>";
  const std::unique_ptr<zip_file_t, CloseZip> part(zip_fopen(archive, name.c_str(), 0));
  if (!part) return 0;
  std::optional<std::uint64_t> begin;
  std::optional<std::uint64_t> end;
  std::array<char, 65'536> buffer{};
  std::string window;  // what was read last, after as much as a tag may need of what was before
  std::uint64_t before = 0;
  while (true) {
    const zip_int64_t count = zip_fread(part.get(), buffer.data(), buffer.size());
    if (count < 0) return 0;
    if (count == 0) return begin && end ? *end - *begin : 0;
    window.append(buffer.data(), static_cast<std::size_t>(count));
    const std::size_t begins = window.find(begin_tag);
    if (!begin && begins != std::string::npos) begin = before + begins + begin_tag.size();
    const std::size_t ends = window.find(end_tag);
    if (!end && ends != std::string::npos) end = before + ends;
    const std::size_t done = window.size() - std::min(window.size(), end_tag.size() - 1);
    window.erase(0, done);
    before += done;
  }
}

// Nor does the library look whether it could put the rows together.
Status expect_complete(const std::string& path, std::span<const std::uint64_t> sheet_bytes) {
  const std::unique_ptr<zip_t, CloseZip> archive(zip_open(path.c_str(), ZIP_RDONLY, nullptr));
  if (!archive) return failed(disk_full);
  for (std::size_t i = 0; i < sheet_bytes.size(); ++i) {
    const std::string name = "xl/worksheets/sheet" + std::to_string(i + 1) + ".xml";
    if (row_bytes(archive.get(), name) != sheet_bytes[i]) return failed(disk_full);
  }
  return {};
}

Status copy(const logs::RegularFile& file, std::ostream& out) {
  std::array<char, 65'536> buffer{};
  for (std::uint64_t offset = 0; offset < file.size();) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, file.read_at(offset, buffer));
    if (count == 0) return failed("ends early");
    QDEDUP_TRY(write_bytes(out, {buffer.data(), count}));
    offset += count;
  }
  return flush(out);
}

}  // namespace

std::string text_in_cell(const std::string& text) {
  if (text.size() * 7 <= max_text_units) return text;
  return refine::to_utf8(fitting(refine::to_utf32(text)));
}

Status export_workbook(const ReportHeader& header, const DeletionStream& entries, std::ostream& out,
                       std::uint32_t rows_per_sheet) {
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor temporary, logs::temporary_file());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> sheet_bytes,
                          fill(header, entries, path_of(temporary), rows_per_sheet));
  QDEDUP_TRY(expect_complete(path_of(temporary), sheet_bytes));
  QDEDUP_ASSIGN_OR_RETURN(const logs::RegularFile file,
                          logs::RegularFile::adopt(std::move(temporary), "workbook"));
  return copy(file, out);
}

}  // namespace qdedup::review
