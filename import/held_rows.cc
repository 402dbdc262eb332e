#include "import/held_rows.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace qdedup::import {

void HeldRows::add(RowBatch&& batch) {
  bytes_ += batch.bytes() + batch.questions.size() * sizeof(Place);
  batches_.push_back(std::move(batch));
}

bool HeldRows::release(std::size_t rows_per_batch, const std::function<bool(RowBatch&&)>& take) {
  const std::vector<Place> places = places_in_order();
  std::span<const Place> left = places;
  bool wanted = true;
  while (wanted && left.size() > rows_per_batch) {
    wanted = take(take_batch(left.first(rows_per_batch)));
    left = left.subspan(rows_per_batch);
  }
  if (wanted) {
    RowBatch last = take_batch(left);
    take_rest(last);
    wanted = take(std::move(last));
  }
  batches_.clear();
  bytes_ = 0;
  return wanted;
}

std::vector<HeldRows::Place> HeldRows::places_in_order() const {
  std::vector<Place> places;
  for (std::uint32_t batch = 0; batch < batches_.size(); ++batch) {
    std::uint32_t row = 0;
    for (const db::BankQuestion& question : batches_[batch].questions)
      places.push_back({question.id, batch, row++});
  }
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    return std::tie(a.id, a.batch, a.row) < std::tie(b.id, b.batch, b.row);
  });
  return places;
}

RowBatch HeldRows::take_batch(std::span<const Place> places) {
  RowBatch batch;
  batch.questions.reserve(places.size());
  batch.lines.reserve(places.size());
  for (const Place& place : places) {
    RowBatch& from = batches_[place.batch];
    batch.questions.push_back(std::move(from.questions[place.row]));
    batch.lines.push_back(from.lines[place.row]);
  }
  batch.bytes_read = batches_.back().bytes_read;
  batch.is_split = true;
  return batch;
}

void HeldRows::take_rest(RowBatch& last) {
  for (RowBatch& batch : batches_) std::ranges::move(batch.bad_rows, std::back_inserter(last.bad_rows));
  last.error = std::move(batches_.back().error);
  last.is_last = batches_.back().is_last;
  last.is_split = false;
}

}  // namespace qdedup::import
