#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "import/row_batch.h"

namespace qdedup::import {

// Rows of a file that are sorted by id before they are stored: packed one after another in large pieces of
// memory, while only their ids and places are sorted.
class HeldRows {
 public:
  // Batches must be added in the order of the file.
  void add(RowBatch&& batch);

  [[nodiscard]] bool empty() const { return places_.empty(); }

  // Approximate memory.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Passes all rows to `take`, in batches of `rows_per_batch` questions with ascending ids; those with the
  // same id keep the order of the file. Bad rows, and an error that ended the reading, come with the last
  // batch. Stops, and returns false, if take() does. O(n log n).
  bool release(std::size_t rows_per_batch, const std::function<bool(RowBatch&&)>& take);

 private:
  // Of two rows, the one that comes first in the file has the smaller place.
  struct Place {
    QuestionId id;
    std::uint32_t piece;
    std::uint32_t offset;

    friend auto operator<=>(const Place&, const Place&) = default;  // NOLINT(modernize-use-nullptr)
  };

  void pack(const db::BankQuestion& question, std::uint64_t line);
  [[nodiscard]] RowBatch unpack(std::span<const Place> places) const;
  [[nodiscard]] const char* row_at(const Place& place) const {
    return pieces_[place.piece].get() + place.offset;
  }

  std::vector<std::unique_ptr<char[]>> pieces_;
  std::size_t used_ = 0;  // bytes of the last piece,
  std::size_t room_ = 0;  // of so many
  std::vector<Place> places_;
  std::size_t bytes_ = 0;
  RowBatch rest_;  // what is known of the last batch beside its questions, and the bad rows of all
};

}  // namespace qdedup::import
