#include "miner/id_index.h"

#include <algorithm>

namespace qdedup::miner {
namespace {

constexpr std::size_t min_slots = 64;

// The finaliser of SplitMix64 (G. L. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA
// 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

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

// The slot that holds `id`, or the empty one where it belongs.
std::size_t IdIndex::slot_of(QuestionId id) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(static_cast<std::uint64_t>(id)) & mask;
  while (slots_[slot] != 0 && ids_[slots_[slot] - 1] != id) slot = (slot + 1) & mask;
  return slot;
}

void IdIndex::grow() {
  const std::size_t slots = std::max(min_slots, slots_.size() * 2);
  slots_ = {};  // the old table goes before the new one comes
  slots_.resize(slots);
  for (std::uint32_t number = 0; number < ids_.size(); ++number) slots_[slot_of(ids_[number])] = number + 1;
}

}  // namespace qdedup::miner
