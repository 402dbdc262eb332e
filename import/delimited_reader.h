#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "import/delimited_rows.h"
#include "import/line_reader.h"
#include "import/question_reader.h"
#include "import/row_use.h"

namespace qdedup::import {

// Reads CSV or TSV. The header names `id` and `text`, and perhaps `answer`, in any order and exactly so; an
// empty answer is none. Every row has as many fields as the header. Rows are those of DelimitedRows.
class DelimitedReader final : public QuestionReader {
 public:
  // `format` is csv or tsv. Reads the header; one that lacks a column is ErrorCode::data. For RowUse::id the
  // column `id` is enough.
  static Result<std::unique_ptr<QuestionReader>> open(LineReader lines, QuestionFormat format, RowUse use);

  Result<std::optional<Row>> next() override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_.lines().bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return rows_.lines().size(); }

 private:
  struct Columns {
    std::size_t count = 0;
    std::size_t id = 0;
    std::optional<std::size_t> text;
    std::optional<std::size_t> answer;
  };

  DelimitedReader(LineReader lines, QuestionFormat format, RowUse use);

  Status read_header();
  [[nodiscard]] std::variant<Question, RowError> to_question();

  DelimitedRows rows_;
  RowUse use_;
  Columns columns_;
};

}  // namespace qdedup::import
