#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/line_reader.h"
#include "import/question_reader.h"

namespace qdedup::import {

// Reads the rows of a CSV (RFC 4180) or TSV file, whatever its columns are. Blank lines are passed over.
//
// A quoted CSV field may go over several lines. Where such a row turns out bad (a quote that is never closed,
// or closed in the middle of a field), only its first line is given up: reading goes on with the second.
class DelimitedRows {
 public:
  // `format` is csv or tsv.
  DelimitedRows(LineReader lines, QuestionFormat format) : lines_(std::move(lines)), format_(format) {}

  // Goes to the next row. `false` at the end.
  Result<bool> next();

  [[nodiscard]] const std::optional<RowError>& problem() const { return problem_; }
  // Unspecified where there is a problem; valid until the next row.
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

}  // namespace qdedup::import
