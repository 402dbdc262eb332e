#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qdedup::refine {

// Where each code point occurs in a stripe of a pattern: at most 64 rows of the table of two texts. A hash
// table with open addressing, at most half full.
class StripeMasks {
 public:
  static constexpr std::size_t max_rows = 64;

  explicit StripeMasks(std::u32string_view rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      Slot& slot = slots_[slot_of(rows[row])];
      slot.code_point = rows[row];
      slot.rows |= std::uint64_t{1} << row;
    }
  }

  // Bit i tells whether `code_point` is in row i.
  [[nodiscard]] std::uint64_t rows_with(char32_t code_point) const {
    return slots_[slot_of(code_point)].rows;
  }

 private:
  struct Slot {
    char32_t code_point;
    std::uint64_t rows;  // 0 in a slot that is free
  };

  // The slot that holds the code point, or the free one where it would go.
  [[nodiscard]] std::size_t slot_of(char32_t code_point) const {
    std::size_t slot = code_point % slots_.size();
    while (slots_[slot].rows != 0 && slots_[slot].code_point != code_point) slot = (slot + 1) % slots_.size();
    return slot;
  }

  std::array<Slot, 2 * max_rows> slots_{};
};

}  // namespace qdedup::refine
