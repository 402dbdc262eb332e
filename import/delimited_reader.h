#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "import/line_reader.h"
#include "import/question_reader.h"
#include "import/row_use.h"

namespace qdedup::import {

// Reads CSV or TSV. The header names `id` and `text`, and perhaps `answer`, in any order and exactly so; an
// empty answer is none. Blank lines are passed over. Every row has as many fields as the header.
//
// A quoted CSV field may go over several lines. Where such a row turns out bad (a quote that is never closed,
// or closed in the middle of a field), only its first line is given up: reading goes on with the second.
class DelimitedReader final : public QuestionReader {
 public:
  // `format` is csv or tsv. Reads the header; one that lacks a column is ErrorCode::data. For RowUse::id the
  // column `id` is enough.
  static Result<std::unique_ptr<QuestionReader>> open(LineReader lines, QuestionFormat format, RowUse use);

  Result<std::optional<Row>> next() override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return lines_.size(); }

 private:
  struct Columns {
    std::size_t count = 0;
    std::size_t id = 0;
    std::optional<std::size_t> text;
    std::optional<std::size_t> answer;
  };

  DelimitedReader(LineReader lines, QuestionFormat format, RowUse use);

  Status read_header();
  Result<bool> next_line();
  Result<std::optional<RowError>> split_row();
  Result<std::optional<RowError>> split_quoted_lines(const RowError& first_line);
  [[nodiscard]] std::variant<Question, RowError> to_question();

  LineReader lines_;
  QuestionFormat format_;
  RowUse use_;
  Columns columns_;
  std::vector<std::string> fields_;  // of the row at hand
};

}  // namespace qdedup::import
