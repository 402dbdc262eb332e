#pragma once

#include <cstdint>
#include <optional>

#include "import/line_reader.h"
#include "import/question_reader.h"

namespace qdedup::import {

// Reads one id a line; blanks around it and blank lines are passed over.
class IdLinesReader final : public QuestionReader {
 public:
  explicit IdLinesReader(LineReader lines);

  Result<std::optional<Row>> next() override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return lines_.size(); }

 private:
  LineReader lines_;
};

}  // namespace qdedup::import
