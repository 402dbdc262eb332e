#include "tests/reference/near_hashes.h"

#include <algorithm>

namespace qdedup::reference {
namespace {

unsigned ones(std::uint64_t value) {
  unsigned count = 0;
  for (; value != 0; value >>= 1U) count += value & 1U;
  return count;
}

}  // namespace

bool NearHashes::remove(std::uint64_t hash, QuestionId id) {
  return std::erase_if(all_, [&](const Hash& one) { return one.hash == hash && one.id == id; }) > 0;
}

bool NearHashes::arrived(std::uint64_t hash, QuestionId id, std::uint16_t arrival) {
  for (Hash& one : all_) {
    if (one.hash != hash || one.id != id) continue;
    one.arrival = std::max(one.arrival, arrival);
    return true;
  }
  return false;
}

std::size_t NearHashes::expire(std::uint16_t before) {
  return std::erase_if(all_, [&](const Hash& one) { return one.arrival < before; });
}

std::vector<QuestionId> NearHashes::query(std::uint64_t hash) const {
  std::vector<QuestionId> ids;
  for (const Hash& one : all_) {
    if (ones(one.hash ^ hash) <= distance_) ids.push_back(one.id);
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace qdedup::reference
