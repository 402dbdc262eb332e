#include "finder/hash_blocks.h"

#include <algorithm>
#include <numeric>

namespace qdedup::finder {
namespace {

constexpr unsigned hash_bits = 64;
// A block of a key is never all of the hash, so that no shift is as wide as the number.
constexpr unsigned widest = 63;

// The next choice of numbers below `count`, in the order of the dictionary. False behind the last.
bool advance(std::vector<unsigned>& chosen, unsigned count) {
  const auto size = static_cast<unsigned>(chosen.size());
  for (unsigned place = size; place-- > 0;) {
    if (chosen[place] == count - size + place) continue;
    std::iota(chosen.begin() + place, chosen.end(), chosen[place] + 1);
    return true;
  }
  return false;
}

}  // namespace

HashBlocks::HashBlocks(unsigned count, const std::vector<unsigned>& chosen) {
  for (const unsigned block : chosen) {
    const unsigned end = hash_bits - hash_bits * block / count;
    const unsigned begin = hash_bits - hash_bits * (block + 1) / count;
    const unsigned width = std::min(end - begin, widest - width_);
    blocks_.push_back({end - width, width});
    mask_ |= ((std::uint64_t{1} << width) - 1) << (end - width);
    width_ += width;
  }
}

std::vector<HashBlocks> all_choices(unsigned distance, unsigned levels) {
  const unsigned count = distance + levels;
  std::vector<unsigned> chosen(levels);
  std::iota(chosen.begin(), chosen.end(), 0U);
  std::vector<HashBlocks> choices;
  do {
    choices.emplace_back(count, chosen);
  } while (advance(chosen, count));
  return choices;
}

}  // namespace qdedup::finder
