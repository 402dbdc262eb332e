#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <variant>
#include <vector>

#include "base/error.h"
#include "db/bank.h"
#include "import/question_reader.h"

namespace qdedup::import {

// A row of a file, with the fingerprint of its text.
struct PreparedRow {
  std::uint64_t line = 0;
  std::variant<db::BankQuestion, RowError> content;
};

// Rows that stand one after another in a file.
struct RowBatch {
  std::vector<PreparedRow> rows;
  std::uint64_t bytes_read = 0;  // of the file, up to the last row or a little further
  std::optional<Error> error;    // ended the reading behind the rows
  bool is_last = false;
};

// Reads and prepares the rows of a file in batches, the next one on a thread of its own while the caller is
// busy with the one before.
class RowBatches {
 public:
  // `reader` is not to be used by others until the object has gone.
  explicit RowBatches(QuestionReader& reader) : reader_(reader) { prepare_next(); }

  // The next batch; nothing behind the last.
  std::optional<RowBatch> next();

 private:
  void prepare_next();

  QuestionReader& reader_;
  std::future<RowBatch> prepared_;
};

}  // namespace qdedup::import
