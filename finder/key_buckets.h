#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace qdedup::finder {

// Which of many numbered things have a key, in five to six bytes for each key of each: the keys of a bucket
// are not told apart. They are to be evenly spread over 32 bits.
class KeyBuckets {
 public:
  // Appends the keys of a thing to a list.
  using KeysOf = std::function<void(std::uint32_t thing, std::vector<std::uint32_t>& keys)>;

  static constexpr std::size_t most_keys = std::numeric_limits<std::uint32_t>::max();

  // In place of what it held. `keys_of` is called three times for each thing. False, and nothing is held,
  // where there are more than `most` keys in all.
  [[nodiscard]] bool build(std::uint32_t things, const KeysOf& keys_of, std::size_t most = most_keys);

  // Those that have the key, ascending, and others.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t key) const {
    const std::size_t bucket = bucket_of(key);
    return std::span(numbers_).subspan(begins_[bucket], begins_[bucket + 1] - begins_[bucket]);
  }

  // To be called some time before of(), in this order.
  void prefetch_bucket(std::uint32_t key) const { __builtin_prefetch(&begins_[bucket_of(key)]); }
  void prefetch_numbers(std::uint32_t key) const {
    __builtin_prefetch(numbers_.data() + begins_[bucket_of(key)]);
  }

 private:
  [[nodiscard]] std::size_t bucket_of(std::uint32_t key) const {
    return static_cast<std::size_t>(std::uint64_t{key} << bits_ >> 32U);
  }

  unsigned bits_ = 0;
  std::vector<std::uint32_t> begins_ = {0, 0};  // of the buckets, and the end of the last
  std::vector<std::uint32_t> numbers_;
};

}  // namespace qdedup::finder
