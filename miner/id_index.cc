#include "miner/id_index.h"

#include <algorithm>

#include "miner/lookahead.h"

namespace qdedup::miner {
namespace {

constexpr std::size_t min_slots = 64;

}  // namespace

std::uint32_t IdIndex::insert(QuestionId id) {
  if (ids_.size() >= slots_.size() / 4 * 3) grow();
  std::uint32_t& slot = slots_[slot_of(id)];
  if (slot == 0) {
    ids_.push_back(id);
    slot = static_cast<std::uint32_t>(ids_.size());
  }
  return slot - 1;
}

// The slot comes first, and half way the id that it names.
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
  slots_ = {};  // the old table goes before the new one comes
  slots_.resize(slots);
  fill_slots();
}

// The ids are distinct, so there is no need to look at those met on the way.
void IdIndex::fill_slots() {
  std::ranges::fill(slots_, 0);
  for (std::size_t number = 0; number < ids_.size(); ++number) {
    if (number + lookahead < ids_.size()) expect(ids_[number + lookahead]);
    std::size_t slot = home_of(ids_[number]);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(number + 1);
  }
}

}  // namespace qdedup::miner
