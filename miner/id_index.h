#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

  // Inserts many, with several accesses to memory under way at once.
  void insert_all(std::span<const QuestionId> ids);

  // Numbers the ids anew: in ascending order. n log n.
  void number_by_id();

  // Say that number_of(id) comes soon, and that it comes very soon.
  void expect(QuestionId id) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home_of(id)]);
  }
  void expect_soon(QuestionId id) const {
    if (slots_.empty()) return;
    const std::uint32_t slot = slots_[home_of(id)];
    if (slot != 0) __builtin_prefetch(&ids_[slot - 1]);
  }

  // The number of an id that was inserted.
  [[nodiscard]] std::uint32_t number_of(QuestionId id) const { return slots_[slot_of(id)] - 1; }

  // Whether an id was inserted.
  [[nodiscard]] bool holds(QuestionId id) const { return !slots_.empty() && slots_[slot_of(id)] != 0; }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }

  // Of memory.
  [[nodiscard]] std::size_t bytes() const {
    return slots_.size() * sizeof(std::uint32_t) + ids_.capacity() * sizeof(QuestionId);
  }

  // Every id, at its number.
  [[nodiscard]] const std::vector<QuestionId>& ids() const& { return ids_; }
  [[nodiscard]] std::vector<QuestionId> ids() && { return std::move(ids_); }

 private:
  // The finaliser of SplitMix64 (G. L. Steele et al., "Fast splittable pseudorandom number generators",
  // OOPSLA 2014).
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }

  // Where the search for `id` begins.
  [[nodiscard]] std::size_t home_of(QuestionId id) const {
    return mix(static_cast<std::uint64_t>(id)) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t slot_of(QuestionId id) const;
  void grow();
  void fill_slots();

  std::vector<std::uint32_t> slots_;  // a number plus 1, or 0; a power of two of them, at most 3/4 taken
  std::vector<QuestionId> ids_;
};

}  // namespace qdedup::miner
