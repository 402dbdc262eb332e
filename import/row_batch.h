#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.h"
#include "db/bank.h"
#include "import/question_characters.h"
#include "import/question_reader.h"

namespace qdedup::import {

// A row that cannot be used, and why.
struct BadRow {
  std::uint64_t line = 0;
  RowError error;
};

// Rows that stand one after another in a file, as the bank takes them.
struct RowBatch {
  std::vector<db::BankQuestion> questions;  // with fingerprints and sketches
  std::vector<std::uint64_t> lines;         // where each of them begins
  db::CharacterSums characters;             // of all of them
  std::vector<BadRow> bad_rows;
  std::uint64_t bytes_read = 0;  // of the file, up to the last row or a little further
  std::optional<Error> error;    // ended the reading behind the rows
  bool is_last = false;
};

// Reads and prepares the rows of a file in batches, on a thread of its own, which is a few batches ahead of
// the caller: that one may have to wait for the disk. A batch has `rows_per_batch` questions, or fewer where
// they are long, or where there are as many bad rows.
class RowBatches {
 public:
  // `reader` is not to be used by others until the object has gone.
  RowBatches(QuestionReader& reader, std::size_t rows_per_batch);
  RowBatches(const RowBatches&) = delete;
  RowBatches& operator=(const RowBatches&) = delete;
  ~RowBatches();

  // The next batch; nothing behind the last. Throws what the other thread has thrown (no memory).
  std::optional<RowBatch> next();

 private:
  void read_ahead();
  RowBatch read();
  void add(RowBatch& batch, Row&& row);
  bool hand_over(RowBatch&& batch);

  QuestionReader& reader_;
  std::size_t rows_per_batch_;
  QuestionCharacters characters_;
  std::size_t text_bytes_ = 0;  // of the batch that is being read

  std::mutex guard_;  // of all below
  std::condition_variable changed_;
  std::deque<RowBatch> ready_;
  std::exception_ptr failure_;
  bool ended_ = false;     // no batch comes any more
  bool unwanted_ = false;  // what comes is not to be read
  std::jthread thread_;
};

}  // namespace qdedup::import
