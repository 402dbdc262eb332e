#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/question_id.h"

namespace qdedup::miner {

// Numbers distinct ids 0, 1, 2, … as they appear. A hash table with linear probing (D. E. Knuth, "The Art of
// Computer Programming", vol. 3, 6.4, algorithm L) that holds the numbers, 4 bytes each; the ids stand in an
// array beside it.
class IdIndex {
 public:
  // The number of `id`; a new id gets size(). At most 2^32-2 ids. Constant time on average.
  std::uint32_t insert(QuestionId id);

  [[nodiscard]] std::size_t size() const { return ids_.size(); }

  // Every id, at its number.
  [[nodiscard]] const std::vector<QuestionId>& ids() const& { return ids_; }
  [[nodiscard]] std::vector<QuestionId> ids() && { return std::move(ids_); }

 private:
  [[nodiscard]] std::size_t slot_of(QuestionId id) const;
  void grow();

  std::vector<std::uint32_t> slots_;  // a number plus 1, or 0; a power of two of them, at most 3/4 taken
  std::vector<QuestionId> ids_;
};

}  // namespace qdedup::miner
