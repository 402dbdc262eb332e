#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "refine/distance_kernels.h"

namespace qdedup::refine {
namespace {

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

  // Bit i is set if `code_point` is in row i.
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

std::int8_t step_at(std::size_t row, std::uint64_t rises, std::uint64_t falls) {
  if ((rises >> row & 1U) != 0) return 1;
  return (falls >> row & 1U) != 0 ? -1 : 0;
}

// One column of a stripe: the differences from row to row, and the row that the stripe ends with.
class StripeColumn {
 public:
  explicit StripeColumn(std::size_t rows) : last_row_(rows - 1) {}

  // Goes one column to the right. `step` is the difference between the two columns in the row above the
  // stripe; returns that in its last row.
  std::int8_t advance(std::uint64_t equal, std::int8_t step) {
    const std::uint64_t step_falls = step < 0 ? 1U : 0U;
    const std::uint64_t step_rises = step > 0 ? 1U : 0U;
    equal |= step_falls;
    const std::uint64_t free_step = (((equal & rises_) + rises_) ^ rises_) | equal | falls_;
    std::uint64_t right_rises = falls_ | ~(free_step | rises_);
    std::uint64_t right_falls = free_step & rises_;
    const std::int8_t last_step = step_at(last_row_, right_rises, right_falls);
    right_rises = right_rises << 1 | step_rises;
    right_falls = right_falls << 1 | step_falls;
    rises_ = right_falls | ~(free_step | right_rises);
    falls_ = free_step & right_rises;
    return last_step;
  }

 private:
  std::size_t last_row_;
  std::uint64_t rises_ = ~std::uint64_t{0};
  std::uint64_t falls_ = 0;
};

// The last row of a stripe, as far as it was computed.
struct LastRow {
  std::size_t least;
  std::size_t last;
};

// Computes a stripe over `columns`. `steps` are the differences from column to column in the row above it,
// and becomes those in its last row; `first` is the cell to the left of its last row.
LastRow compute_stripe(std::u32string_view rows, std::u32string_view columns, std::span<std::int8_t> steps,
                       std::size_t first) {
  const StripeMasks masks(rows);
  StripeColumn column(rows.size());
  LastRow row{.least = first, .last = first};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    steps[i] = column.advance(masks.rows_with(columns[i]), steps[i]);
    row.last += static_cast<std::size_t>(steps[i]);
    row.least = std::min(row.least, row.last);
  }
  return row;
}

// Goes one column to the right in a stripe. `level` has a bit set in each row that is the same as the row
// above it; `gain`, 0 or 1, is what the row above the stripe gains in this column. Returns what the last row
// gains.
std::uint64_t advance(std::uint64_t& level, std::uint64_t equal, std::uint64_t gain) {
  const std::uint64_t gaining = level & equal;
  const std::uint64_t sum = level + gaining;
  const std::uint64_t sum_with_gain = sum + gain;
  const bool carry = sum < level || sum_with_gain < sum;
  level = sum_with_gain | (level - gaining);
  return carry ? 1 : 0;
}

}  // namespace

// Cells outside the band are never less than they should be: there each step to the right or down counts as
// one edit.
std::size_t striped_levenshtein(std::u32string_view pattern, std::u32string_view text, std::size_t limit,
                                Band band) {
  std::vector<std::int8_t> steps(text.size(), 1);
  std::size_t begin = 0;   // the first column of the stripe, and
  std::size_t corner = 0;  // the cell to the left of it in the row above
  LastRow last_row{};
  for (std::size_t row = 0; row < pattern.size(); row += StripeMasks::max_rows) {
    const std::u32string_view rows = pattern.substr(row, StripeMasks::max_rows);
    for (; begin + band.below < row; ++begin) corner += static_cast<std::size_t>(steps[begin]);
    corner += rows.size();
    const std::size_t end = std::min(text.size(), row + rows.size() + band.above);
    last_row = compute_stripe(rows, text.substr(begin, end - begin), std::span(steps).subspan(begin), corner);
    if (last_row.least > limit) return limit + 1;
  }
  return std::min(last_row.last, limit + 1);
}

std::size_t striped_lcs(std::u32string_view pattern, std::u32string_view text, std::size_t limit, Band band) {
  std::vector<std::uint8_t> gains(text.size(), 0);  // of the last row of the stripe above, in each column
  std::size_t common = 0;
  for (std::size_t row = 0; row < pattern.size(); row += StripeMasks::max_rows) {
    const std::u32string_view rows = pattern.substr(row, StripeMasks::max_rows);
    const std::size_t begin = row - std::min(row, band.below);
    const std::size_t end = std::min(text.size(), row + rows.size() + band.above);
    const StripeMasks masks(rows);
    std::uint64_t level = ~std::uint64_t{0};
    for (std::size_t column = begin; column < end; ++column) {
      const std::uint64_t equal = masks.rows_with(text[column]);
      gains[column] = static_cast<std::uint8_t>(advance(level, equal, gains[column]));
    }
    common = std::accumulate(gains.begin(), gains.end(), std::size_t{0});
    const std::size_t unmatched_rows = row + rows.size() - common;
    if (unmatched_rows > band.below) return limit + 1;
  }
  return text.size() - common;
}

}  // namespace qdedup::refine
