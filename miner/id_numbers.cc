#include "miner/id_numbers.h"

#include <utility>

#include "base/containers.h"

namespace qdedup::miner {
namespace {

constexpr std::size_t min_slots = 64;

constexpr std::uint64_t dense_ids_per_use = 64;
constexpr std::uint64_t dense_bytes_per_use = 12;
constexpr std::uint64_t max_dense_ids = std::uint64_t{1} << 32U;  // 0.8 GB if they are spread everywhere

}  // namespace

IdBitmap::IdBitmap(QuestionId first, std::uint64_t size)
    : first_(first), range_(size), cells_(cell_count() + 1) {}

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

std::uint32_t IdIndex::insert(QuestionId id) {
  if (ids_.size() >= slots_.size() / 4 * 3) grow();
  std::uint32_t& slot = slots_[slot_of(id)];
  if (slot == 0) {
    ids_.push_back(id);
    slot = static_cast<std::uint32_t>(ids_.size());
  }
  return slot - 1;
}

void IdIndex::insert_all(std::span<const QuestionId> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + lookahead < ids.size()) {
      expect(ids[i + lookahead]);
      expect_soon(ids[i + lookahead / 2]);
    }
    insert(ids[i]);
  }
}

void IdIndex::number_by_id() {
  std::ranges::sort(ids_);
  fill_slots();
}

// The slot that holds `id`, or the empty one where it belongs.
std::size_t IdIndex::slot_of(QuestionId id) const {
  std::size_t slot = home_of(id);
  while (slots_[slot] != 0 && ids_[slots_[slot] - 1] != id) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void IdIndex::grow() {
  const std::size_t slots = std::max(min_slots, slots_.size() * 2);
  release(slots_);  // freed before the new table is allocated
  slots_.resize(slots);
  fill_slots();
}

// The ids are distinct, so occupied slots need not be compared.
void IdIndex::fill_slots() {
  std::ranges::fill(slots_, 0);
  for (std::size_t number = 0; number < ids_.size(); ++number) {
    if (number + lookahead < ids_.size()) expect(ids_[number + lookahead]);
    std::size_t slot = home_of(ids_[number]);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(number + 1);
  }
}

IdNumbers::IdNumbers(const Uses& uses, std::uint64_t spare_bytes) {
  const std::uint64_t all = std::min(uses.added + uses.looked_up, spare_bytes / dense_bytes_per_use);
  dense_range_ = std::min(std::max(uses.added, all), max_dense_ids / dense_ids_per_use) * dense_ids_per_use;
}

void IdNumbers::add(std::span<const QuestionId> ids) {
  for (const QuestionId id : ids) {
    least_ = std::min(least_, id);
    greatest_ = std::max(greatest_, id);
  }
  while (!decided_ && !ids.empty()) {
    sparse_.insert(ids.front());
    ids = ids.subspan(1);
    if (sparse_.size() == deciding_ids) decide();
  }
  add_decided(ids);
}

// Runs of dense ids are long, because nearly all ids are dense or none are.
void IdNumbers::add_decided(std::span<const QuestionId> ids) {
  while (!ids.empty()) {
    const bool dense = is_dense(ids.front());
    const auto end = std::ranges::find_if(ids, [&](QuestionId id) { return is_dense(id) != dense; });
    const auto run = ids.first(static_cast<std::size_t>(end - ids.begin()));
    if (dense) {
      dense_->add(run);
    } else {
      sparse_.insert_all(run);
    }
    ids = ids.subspan(run.size());
  }
}

// Even if some of the ids are wild ones.
void IdNumbers::decide() {
  decided_ = true;
  const std::vector<QuestionId> first = std::exchange(sparse_, {}).ids();
  const QuestionId least = std::ranges::min(first);
  const auto in_range = [&](QuestionId id) {
    return static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(least) < dense_range_;
  };
  if (std::ranges::count_if(first, in_range) > static_cast<std::ptrdiff_t>(deciding_ids / 10 * 9)) {
    dense_.emplace(least, dense_range_);
  }
  add_decided(first);
}

void IdNumbers::number_ids() {
  sparse_.number_by_id();
  if (!dense_) return;
  dense_->number_ids();
  dense_size_ = dense_->size();
  const std::vector<QuestionId>& sparse = sparse_.ids();
  below_ = static_cast<std::size_t>(std::ranges::lower_bound(sparse, dense_->first()) - sparse.begin());
}

std::uint64_t IdNumbers::bytes() const {
  const std::uint64_t dense = dense_ ? dense_->bytes() : 0;
  return dense + sparse_.bytes();
}

std::uint32_t IdNumbers::number_of(QuestionId id) const {
  if (is_dense(id)) return static_cast<std::uint32_t>(below_) + dense_->number_of(id);
  const std::uint32_t number = sparse_.number_of(id);
  return number < below_ ? number : static_cast<std::uint32_t>(dense_size_) + number;
}

template <class Number>
void IdNumbers::each_number(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers,
                            const Number& number) const {
  for (std::size_t i = 0; i < std::min(lookahead, ids.size()); ++i) expect(ids[i]);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + lookahead < ids.size()) expect(ids[i + lookahead]);
    if (i + lookahead / 2 < ids.size()) expect_soon(ids[i + lookahead / 2]);
    numbers[i] = number(ids[i]);
  }
}

void IdNumbers::numbers_of(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const {
  each_number(ids, numbers, [this](QuestionId id) { return number_of(id); });
}

void IdNumbers::find(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const {
  each_number(ids, numbers, [this](QuestionId id) { return holds(id) ? number_of(id) : none; });
}

}  // namespace qdedup::miner
