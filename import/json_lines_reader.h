#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "import/line_reader.h"
#include "import/question_reader.h"

namespace qdedup::import {

// Reads {"id":1,"text":"…","answer":"…"} from a line of strict JSON (RFC 8259), perhaps after a byte-order
// mark. Of a key that comes twice the last value counts. `id` must be written as an integer: 7, not 7.0, 7e0
// or "7". An answer may be a number, then it is taken as it is written, or null for none. Linear in the line,
// at any nesting.
std::variant<Question, RowError> parse_json_question(std::string_view line, RowUse use);

class JsonLinesReader final : public QuestionReader {
 public:
  JsonLinesReader(LineReader lines, RowUse use);

  Result<std::optional<Row>> next() override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return lines_.size(); }

 private:
  LineReader lines_;
  RowUse use_;
};

}  // namespace qdedup::import
