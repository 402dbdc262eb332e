#pragma once

#include <cstddef>
#include <optional>
#include <thread>

#include "import/bounded_queue.h"
#include "import/question_reader.h"
#include "import/row_batch.h"
#include "import/row_use.h"

namespace qdedup::import {

// Reads and prepares the rows of a file in batches, each on a thread of its own, a few batches ahead of the
// caller, who may have to wait for the disk. Rows in order of their ids, more or less, come as they are.
// Others are held back, `held_bytes` of them at once, and come in order; meanwhile split batches without rows
// tell how far the reading is. Questions get their fingerprints, sketches and characters; ids need none.
class RowPipeline {
 public:
  // `reader` is not to be used by others until the object has gone.
  RowPipeline(QuestionReader& reader, RowUse use, std::size_t rows_per_batch, std::size_t held_bytes);
  RowPipeline(const RowPipeline&) = delete;
  RowPipeline& operator=(const RowPipeline&) = delete;
  ~RowPipeline();

  // The next batch; nothing behind the last. Throws what the threads have thrown (no memory).
  std::optional<RowBatch> next() { return prepared_.pop(); }

 private:
  void read();
  void prepare();

  QuestionReader& reader_;
  RowUse use_;
  std::size_t rows_per_batch_;
  std::size_t held_bytes_;
  BoundedQueue<RowBatch> read_;
  BoundedQueue<RowBatch> prepared_;
  std::jthread reading_;
  std::jthread preparing_;
};

}  // namespace qdedup::import
