#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "import/row_batch.h"

namespace qdedup::import {

// Rows of a file that are put in order of their ids before they are stored.
class HeldRows {
 public:
  // Takes a batch that follows those before it.
  void add(RowBatch&& batch);

  [[nodiscard]] bool empty() const { return batches_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Gives them all away, in batches of `rows_per_batch` questions whose ids ascend, those with the same id as
  // they came. Bad rows, and how the reading ended, go with the last. Stops where take() says no, and is
  // false then. O(n log n).
  bool release(std::size_t rows_per_batch, const std::function<bool(RowBatch&&)>& take);

 private:
  struct Place {
    QuestionId id;
    std::uint32_t batch;
    std::uint32_t row;
  };

  [[nodiscard]] std::vector<Place> places_in_order() const;
  RowBatch take_batch(std::span<const Place> places);
  void take_rest(RowBatch& last);

  std::vector<RowBatch> batches_;
  std::size_t bytes_ = 0;
};

}  // namespace qdedup::import
