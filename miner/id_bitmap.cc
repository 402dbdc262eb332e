#include "miner/id_bitmap.h"

#include <algorithm>
#include <new>

#include "miner/lookahead.h"

namespace qdedup::miner {

// calloc leaves pages that nothing is written to with the system.
IdBitmap::IdBitmap(QuestionId first, std::uint64_t size)
    : first_(first), range_(size), cells_(static_cast<Cell*>(std::calloc(cell_count() + 1, sizeof(Cell)))) {
  if (!cells_) throw std::bad_alloc();
}

void IdBitmap::add(std::span<const QuestionId> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + lookahead < ids.size()) expect(ids[i + lookahead]);
    cells_used_ = std::max(cells_used_, cell_of(ids[i]) + 1);
    Cell& cell = cells_[cell_of(ids[i])];
    const std::uint64_t bit = bit_of(ids[i]);
    cell.low |= static_cast<std::uint32_t>(bit);
    cell.high |= static_cast<std::uint32_t>(bit >> 32U);
  }
}

void IdBitmap::number_ids() {
  std::uint32_t before = 0;
  for (std::uint64_t i = 0; i < cells_used_; ++i) {
    Cell& cell = cells_[i];
    if (cell.bits() == 0) continue;
    cell.before = before;
    before += static_cast<std::uint32_t>(count(cell.bits()));
  }
  size_ = before;
}

}  // namespace qdedup::miner
