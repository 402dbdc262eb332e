#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "base/question_id.h"

namespace qdedup::miner {

// Numbers a set of ids within a range in ascending order: a bit for each possible id, and for every 64 of
// them how many come before (G. Jacobson, "Space-efficient static trees and graphs", FOCS 1989). 12 bytes for
// each 64 possible ids; memory that no id falls into is not taken from the system.
class IdBitmap {
 public:
  // Ids from first to first + size - 1.
  IdBitmap(QuestionId first, std::uint64_t size);

  [[nodiscard]] QuestionId first() const { return first_; }
  [[nodiscard]] bool covers(QuestionId id) const { return place_of(id) < range_; }

  // Adds ids, all of which it covers, until number_ids() is called. A random access to memory each, several
  // under way at once.
  void add(std::span<const QuestionId> ids);

  // Numbers the ids that were added: 0, 1, 2, … Less than 2^32 of them. Linear in the range up to the
  // greatest.
  void number_ids();

  [[nodiscard]] std::size_t size() const { return size_; }

  // Of memory, at most.
  [[nodiscard]] std::uint64_t bytes() const { return cells_used_ * sizeof(Cell); }

  // Whether an id that is covered was added.
  [[nodiscard]] bool holds(QuestionId id) const { return (cells_[cell_of(id)].bits() & bit_of(id)) != 0; }

  // Says that number_of(id) comes soon.
  void expect(QuestionId id) const { __builtin_prefetch(&cells_[cell_of(id)]); }

  // The number of an id that was added.
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
  // std::popcount is a call where the compiler may not count on the instruction. (H. S. Warren, "Hacker's
  // Delight", 5-1.)
  static std::uint64_t count(std::uint64_t bits) {
    bits -= bits >> 1U & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + (bits >> 2U & 0x3333333333333333U);
    return ((bits + (bits >> 4U)) & 0x0F0F0F0F0F0F0F0FU) * 0x0101010101010101U >> 56U;
  }

  struct Cell {
    std::uint32_t low;  // bits of the first 32 ids
    std::uint32_t high;
    std::uint32_t before;  // how many ids stand in the cells before

    [[nodiscard]] std::uint64_t bits() const { return std::uint64_t{high} << 32U | low; }
  };

  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };

  [[nodiscard]] std::uint64_t place_of(QuestionId id) const {
    return static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
  }
  [[nodiscard]] std::uint64_t cell_of(QuestionId id) const { return place_of(id) / 64; }
  [[nodiscard]] std::uint64_t bit_of(QuestionId id) const { return std::uint64_t{1} << (place_of(id) % 64); }
  [[nodiscard]] std::uint64_t cell_count() const { return (range_ + 63) / 64; }

  QuestionId first_;
  std::uint64_t range_;
  std::unique_ptr<Cell[], Free> cells_;
  std::uint64_t cells_used_ = 0;  // the others, behind, hold nothing
  std::size_t size_ = 0;
};

}  // namespace qdedup::miner
