#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "import/line_reader.h"
#include "import/question_reader.h"

namespace qdedup::import {

// Splits a record of csv (RFC 4180) or tsv (without quotes), without the newline at its end, into `fields`,
// 4,096 at most, reusing its strings. A carriage return at its end is dropped. Linear. After an error
// `fields` is unspecified.
std::optional<RowError> split_record(std::string_view record, QuestionFormat format,
                                     std::vector<std::string>& fields);

// Where a header names this column, if it does. ErrorCode::data if it does so twice, or lacks one that is
// needed.
Result<std::optional<std::size_t>> column_in(const std::vector<std::string>& header, std::string_view name,
                                             bool needed);

// Where each of these columns stands, if it does. Those must for whose number `is_needed` is true.
template <std::size_t count, class IsNeeded>
Result<std::array<std::optional<std::size_t>, count>> columns_in(
    const std::vector<std::string>& header, const std::array<std::string_view, count>& names,
    const IsNeeded& is_needed) {
  std::array<std::optional<std::size_t>, count> places;
  for (std::size_t i = 0; i < count; ++i) {
    QDEDUP_ASSIGN_OR_RETURN(places.at(i), column_in(header, names.at(i), is_needed(i)));
  }
  return places;
}

// A row whose number of fields is not the header's.
RowError wrong_field_count(std::size_t count, std::size_t expected);

// Reads the rows of a CSV (RFC 4180) or TSV file with any columns. Blank lines are skipped.
//
// A quoted CSV field may span several lines. If such a row is invalid (a quote that is never closed, or is
// closed in the middle of a field), only its first line is dropped, and reading continues with the second.
class DelimitedRows {
 public:
  // `format` is csv or tsv.
  DelimitedRows(LineReader lines, QuestionFormat format) : lines_(std::move(lines)), format_(format) {}

  // Moves to the next row; false at the end.
  Result<bool> next();

  [[nodiscard]] const std::optional<RowError>& problem() const { return problem_; }
  // Unspecified if there is a problem; valid until the next row.
  [[nodiscard]] std::vector<std::string>& fields() { return fields_; }
  [[nodiscard]] const LineReader& lines() const { return lines_; }

 private:
  Result<std::optional<RowError>> split_row();
  Result<std::optional<RowError>> split_quoted_lines(const RowError& first_line);

  LineReader lines_;
  QuestionFormat format_;
  std::optional<RowError> problem_;
  std::vector<std::string> fields_;
};

// Reads CSV or TSV. The header contains the exact names of the columns, in any order, and optionally
// `images`; an empty answer counts as none. Every row must have as many fields as the header. Rows are those
// of DelimitedRows.
class DelimitedReader final : public QuestionReader {
 public:
  // `format` is csv or tsv. Reads the header, and fails with ErrorCode::data if it lacks a column. For
  // RowUse::id the column `id` is enough.
  static Result<std::unique_ptr<QuestionReader>> open(LineReader lines, QuestionFormat format, RowUse use,
                                                      const Columns& columns = {});

  Result<std::optional<Row>> next() override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_.lines().bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return rows_.lines().size(); }

 private:
  struct Positions {
    std::size_t count = 0;
    std::size_t id = 0;
    std::vector<std::size_t> texts;
    std::optional<std::size_t> answer;
    std::optional<std::size_t> images;
    std::optional<std::size_t> arrived_at;
  };

  DelimitedReader(LineReader lines, QuestionFormat format, RowUse use, Columns columns);

  Status read_header();
  Status find_columns(const std::vector<std::string>& header);
  [[nodiscard]] std::variant<Question, RowError> to_question();
  [[nodiscard]] std::optional<RowError> take_text(std::string& text);

  DelimitedRows rows_;
  RowUse use_;
  Columns columns_;
  Positions positions_;
};

}  // namespace qdedup::import
