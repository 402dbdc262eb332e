#include "import/row_batch.h"

#include <cstddef>
#include <utility>

#include "import/fingerprints.h"

namespace qdedup::import {
namespace {

constexpr std::size_t rows_per_batch = 2'000;

PreparedRow prepared(Row&& row) {
  if (auto* error = std::get_if<RowError>(&row.content)) return {row.line, std::move(*error)};
  auto& question = std::get<Question>(row.content);
  return {row.line, bank_question(question.id, std::move(question.text), std::move(question.answer))};
}

RowBatch read_batch(QuestionReader& reader) {
  RowBatch batch;
  batch.rows.reserve(rows_per_batch);
  while (batch.rows.size() < rows_per_batch && !batch.is_last) {
    Result<std::optional<Row>> row = reader.next();
    batch.is_last = !row.ok() || !row->has_value();
    if (!row.ok()) {
      batch.error = std::move(row).error();
    } else if (row->has_value()) {
      batch.rows.push_back(prepared(**std::move(row)));
    }
  }
  batch.bytes_read = reader.bytes_read();
  return batch;
}

}  // namespace

std::optional<RowBatch> RowBatches::next() {
  if (!prepared_.valid()) return std::nullopt;
  RowBatch batch = prepared_.get();
  if (!batch.is_last) prepare_next();
  return batch;
}

void RowBatches::prepare_next() {
  prepared_ = std::async(std::launch::async, [this] { return read_batch(reader_); });
}

}  // namespace qdedup::import
