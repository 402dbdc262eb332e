#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "db/bank_reading.h"

namespace qdedup::iteration {

inline constexpr std::size_t questions_per_batch = 16'384;

// Reads the whole bank in batches: choose(question) makes a Row of each, or none; prepare(row) is called for
// all of a batch on all threads, then take(row) for one after another, by id.
template <class Row, class Choose, class Prepare, class Take>
Status read_in_batches(db::Bank& bank, unsigned threads, const Choose& choose, const Prepare& prepare,
                       const Take& take) {
  std::vector<Row> batch;
  const auto finish = [&] {
    parallel_for(batch.size(), threads, [&](std::size_t i) { prepare(batch[i]); });
    for (Row& row : batch) take(row);
    batch.clear();
  };
  QDEDUP_TRY(db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
    if (std::optional<Row> row = choose(question)) batch.push_back(*std::move(row));
    if (batch.size() == questions_per_batch) finish();
    return {};
  }));
  finish();
  return {};
}

}  // namespace qdedup::iteration
