#include "finder/key_buckets.h"

#include <bit>

namespace qdedup::finder {
namespace {

constexpr std::size_t keys_per_bucket = 4;

void for_each_key(std::uint32_t things, const KeyBuckets::KeysOf& keys_of,
                  const std::function<void(std::uint32_t thing, std::uint32_t key)>& take) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t thing = 0; thing < things; ++thing) {
    keys.clear();
    keys_of(thing, keys);
    for (const std::uint32_t key : keys) take(thing, key);
  }
}

}  // namespace

// While the buckets are filled, begins_[i + 1] is the place behind what bucket i has so far.
bool KeyBuckets::build(std::uint32_t things, const KeysOf& keys_of, std::size_t most) {
  std::size_t keys = 0;
  for_each_key(things, keys_of, [&](std::uint32_t, std::uint32_t) { ++keys; });
  if (keys > most) {
    *this = {};
    return false;
  }
  bits_ = static_cast<unsigned>(std::bit_width(keys / keys_per_bucket));
  begins_.assign((std::size_t{1} << bits_) + 2, 0);
  numbers_.resize(keys);
  numbers_.shrink_to_fit();
  for_each_key(things, keys_of, [this](std::uint32_t, std::uint32_t key) { ++begins_[bucket_of(key) + 2]; });
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  for_each_key(things, keys_of, [this](std::uint32_t thing, std::uint32_t key) {
    numbers_[begins_[bucket_of(key) + 1]++] = thing;
  });
  return true;
}

}  // namespace qdedup::finder
