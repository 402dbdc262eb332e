#include "import/row_batch.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "import/fingerprints.h"

namespace qdedup::import {
namespace {

constexpr std::size_t batches_ahead = 3;
constexpr std::size_t most_text_bytes = 8U << 20U;

}  // namespace

RowBatches::RowBatches(QuestionReader& reader, std::size_t rows_per_batch)
    : reader_(reader), rows_per_batch_(rows_per_batch), thread_([this] { read_ahead(); }) {}

RowBatches::~RowBatches() {
  const std::lock_guard lock(guard_);
  unwanted_ = true;
  changed_.notify_all();
}

std::optional<RowBatch> RowBatches::next() {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [this] { return !ready_.empty() || ended_; });
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return std::nullopt;
  }
  RowBatch batch = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return batch;
}

void RowBatches::read_ahead() {
  std::exception_ptr failure;
  try {
    while (hand_over(read())) {
    }
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(guard_);
  failure_ = failure;
  ended_ = true;
  changed_.notify_all();
}

// Waits for room. False when no further batch is wanted.
bool RowBatches::hand_over(RowBatch&& batch) {
  const bool is_last = batch.is_last;
  std::unique_lock lock(guard_);
  changed_.wait(lock, [this] { return ready_.size() < batches_ahead || unwanted_; });
  ready_.push_back(std::move(batch));
  changed_.notify_all();
  return !is_last && !unwanted_;
}

RowBatch RowBatches::read() {
  RowBatch batch;
  batch.questions.reserve(rows_per_batch_);
  batch.lines.reserve(rows_per_batch_);
  text_bytes_ = 0;
  const auto is_full = [&] {
    return batch.questions.size() >= rows_per_batch_ || batch.bad_rows.size() >= rows_per_batch_ ||
           text_bytes_ >= most_text_bytes;
  };
  while (!is_full() && !batch.is_last) {
    Result<std::optional<Row>> row = reader_.next();
    batch.is_last = !row.ok() || !row->has_value();
    if (!row.ok()) {
      batch.error = std::move(row).error();
    } else if (row->has_value()) {
      add(batch, **std::move(row));
    }
  }
  batch.characters = characters_.take();
  batch.bytes_read = reader_.bytes_read();
  return batch;
}

void RowBatches::add(RowBatch& batch, Row&& row) {
  if (auto* error = std::get_if<RowError>(&row.content)) {
    batch.bad_rows.push_back({row.line, std::move(*error)});
    return;
  }
  auto& read = std::get<Question>(row.content);
  db::BankQuestion question{read.id, std::move(read.text), std::move(read.answer), 0, {}};
  const refine::DecodedText text(question.text);
  characters_.enter(text);
  set_fingerprints(question, text);
  text_bytes_ += question.text.size() + (question.answer ? question.answer->size() : 0);
  batch.lines.push_back(row.line);
  batch.questions.push_back(std::move(question));
}

}  // namespace qdedup::import
