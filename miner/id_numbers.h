#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/mixed_bits.h"
#include "base/question_id.h"
#include "base/zeroed_array.h"

namespace qdedup::miner {

// How many steps ahead elements are prefetched.
inline constexpr std::size_t lookahead = 16;

// Numbers a set of ids within a range in ascending order: a bit for each possible id and, for every 64 of
// them, the number of ids before (G. Jacobson, "Space-efficient static trees and graphs", FOCS 1989). 12
// bytes per 64 possible ids, allocated only where there are ids.
class IdBitmap {
 public:
  // For ids from first to first + size - 1.
  IdBitmap(QuestionId first, std::uint64_t size);

  [[nodiscard]] QuestionId first() const { return first_; }
  [[nodiscard]] bool covers(QuestionId id) const { return place_of(id) < range_; }

  // Adds ids, which must be in the range. Not after number_ids().
  void add(std::span<const QuestionId> ids);

  // Numbers the added ids: 0, 1, 2, … There must be fewer than 2^32. Linear in the range up to the largest.
  void number_ids();

  [[nodiscard]] std::size_t size() const { return size_; }

  // An upper bound of the memory.
  [[nodiscard]] std::uint64_t bytes() const { return cells_used_ * sizeof(Cell); }

  // Whether an id in the range was added.
  [[nodiscard]] bool holds(QuestionId id) const { return (cells_[cell_of(id)].bits() & bit_of(id)) != 0; }

  // Prefetches for number_of(id).
  void expect(QuestionId id) const { __builtin_prefetch(&cells_[cell_of(id)]); }

  // The number of an added id.
  [[nodiscard]] std::uint32_t number_of(QuestionId id) const {
    const Cell& cell = cells_[cell_of(id)];
    const std::uint64_t before = cell.bits() & (bit_of(id) - 1);
    return cell.before + static_cast<std::uint32_t>(count(before));
  }

  // Calls take(id) for each id, ascending.
  template <class Take>
  void for_each(const Take& take) const {
    for (std::uint64_t cell = 0; cell < cells_used_; ++cell) {
      for (std::uint64_t bits = cells_[cell].bits(); bits != 0; bits &= bits - 1) {
        take(first_ + static_cast<QuestionId>(cell * 64 + static_cast<unsigned>(std::countr_zero(bits))));
      }
    }
  }

 private:
  // std::popcount is a function call if the compiler may not assume the instruction. (H. S. Warren, "Hacker's
  // Delight", 5-1.)
  static std::uint64_t count(std::uint64_t bits) {
    bits -= bits >> 1U & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + (bits >> 2U & 0x3333333333333333U);
    return ((bits + (bits >> 4U)) & 0x0F0F0F0F0F0F0F0FU) * 0x0101010101010101U >> 56U;
  }

  struct Cell {
    std::uint32_t low;  // bits of the first 32 ids
    std::uint32_t high;
    std::uint32_t before;  // number of ids in the cells before

    [[nodiscard]] std::uint64_t bits() const { return std::uint64_t{high} << 32U | low; }
  };

  [[nodiscard]] std::uint64_t place_of(QuestionId id) const {
    return static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
  }
  [[nodiscard]] std::uint64_t cell_of(QuestionId id) const { return place_of(id) / 64; }
  [[nodiscard]] std::uint64_t bit_of(QuestionId id) const { return std::uint64_t{1} << (place_of(id) % 64); }
  [[nodiscard]] std::uint64_t cell_count() const { return (range_ + 63) / 64; }

  QuestionId first_;
  std::uint64_t range_;
  ZeroedArray<Cell> cells_;
  std::uint64_t cells_used_ = 0;  // the cells after these are empty
  std::size_t size_ = 0;
};

// Numbers distinct ids 0, 1, 2, … in order of appearance. A hash table with linear probing (D. E. Knuth, "The
// Art of Computer Programming", vol. 3, 6.4, algorithm L) of the numbers, 4 bytes each; the ids are in a
// separate array.
class IdIndex {
 public:
  // The number of `id`; a new id gets size(). At most 2^32-2 ids. Constant time on average.
  std::uint32_t insert(QuestionId id);

  // The same for many, faster.
  void insert_all(std::span<const QuestionId> ids);

  // Renumbers the ids in ascending order. O(n log n).
  void number_by_id();

  // Prefetch for number_of(id); the first to be called earlier than the second.
  void expect(QuestionId id) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home_of(id)]);
  }
  void expect_soon(QuestionId id) const {
    if (slots_.empty()) return;
    const std::uint32_t slot = slots_[home_of(id)];
    if (slot != 0) __builtin_prefetch(&ids_[slot - 1]);
  }

  // The number of an inserted id.
  [[nodiscard]] std::uint32_t number_of(QuestionId id) const { return slots_[slot_of(id)] - 1; }

  // Whether an id was inserted.
  [[nodiscard]] bool holds(QuestionId id) const { return !slots_.empty() && slots_[slot_of(id)] != 0; }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }

  // Of memory.
  [[nodiscard]] std::size_t bytes() const {
    return slots_.size() * sizeof(std::uint32_t) + ids_.capacity() * sizeof(QuestionId);
  }

  // All ids, in order of their numbers.
  [[nodiscard]] const std::vector<QuestionId>& ids() const& { return ids_; }
  [[nodiscard]] std::vector<QuestionId> ids() && { return std::move(ids_); }

 private:
  // The first slot to search for `id`.
  [[nodiscard]] std::size_t home_of(QuestionId id) const {
    return mixed_bits(static_cast<std::uint64_t>(id)) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t slot_of(QuestionId id) const;
  void grow();
  void fill_slots();

  std::vector<std::uint32_t> slots_;  // a number plus 1, or 0; the size is a power of two, at most 3/4 in use
  std::vector<QuestionId> ids_;
};

// Numbers distinct ids 0, 1, 2, … in ascending order, once all are known. Dense ids are in a bitmap, others
// in a hash table.
class IdNumbers {
 public:
  // The numbers of ids, including repetitions, that will be added, and looked up later. Approximate.
  struct Uses {
    std::uint64_t added = 0;
    std::uint64_t looked_up = 0;
  };

  // Ids are dense where most of the first `deciding_ids` are within a range of 64 times the ids added, at
  // most 2^32, so that they take at most 12 bytes per id added. Those looked up count too, if `spare_bytes`
  // of memory allow it: a bitmap costs time for its range, the hash table for each use.
  explicit IdNumbers(const Uses& uses, std::uint64_t spare_bytes = 0);

  static constexpr std::size_t deciding_ids = 256;

  // Adds ids. Not after number_ids().
  void add(std::span<const QuestionId> ids);

  // Numbers the ids, at most 2^32-2. O(n log n) in the sparse ids.
  void number_ids();

  [[nodiscard]] std::size_t size() const { return dense_size_ + sparse_.size(); }

  // Approximate memory.
  [[nodiscard]] std::uint64_t bytes() const;

  // The smallest and the greatest id; at least one must have been added.
  [[nodiscard]] std::pair<QuestionId, QuestionId> range() const { return {least_, greatest_}; }

  // The numbers of added ids; `numbers` is as long as `ids`. Constant time each.
  void numbers_of(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const;

  // The same for any ids; `none` for ids that were not added.
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  void find(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const;

  // Calls take(id) for each id in ascending order, so in order of the numbers.
  template <class Take>
  void for_each(const Take& take) const {
    const std::span<const QuestionId> sparse(sparse_.ids());
    for (const QuestionId id : sparse.first(below_)) take(id);
    if (dense_) dense_->for_each(take);
    for (const QuestionId id : sparse.subspan(below_)) take(id);
  }

 private:
  [[nodiscard]] bool is_dense(QuestionId id) const { return dense_ && dense_->covers(id); }
  [[nodiscard]] bool holds(QuestionId id) const {
    return is_dense(id) ? dense_->holds(id) : sparse_.holds(id);
  }
  void expect(QuestionId id) const { is_dense(id) ? dense_->expect(id) : sparse_.expect(id); }
  void expect_soon(QuestionId id) const {
    if (!is_dense(id)) sparse_.expect_soon(id);
  }
  [[nodiscard]] std::uint32_t number_of(QuestionId id) const;

  void add_decided(std::span<const QuestionId> ids);
  void decide();

  // Sets numbers[i] to number(ids[i]), with several memory accesses in flight.
  template <class Number>
  void each_number(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers,
                   const Number& number) const;

  std::uint64_t dense_range_;
  bool decided_ = false;  // whether there are dense ids
  QuestionId least_ = max_question_id;
  QuestionId greatest_ = 0;
  std::optional<IdBitmap> dense_;  // begins with the smallest of the deciding ids
  IdIndex sparse_;
  std::size_t dense_size_ = 0;
  std::size_t below_ = 0;  // number of sparse ids smaller than the dense ones
};

}  // namespace qdedup::miner
