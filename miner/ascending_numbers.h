#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qdedup::miner {

// Numbers that never descend, each found by its place, in 4 bytes each: their low halves, and beside them the
// places where the high half grows, of which there is none below 2^32. Looking one up takes as many steps as
// the high half has grown by then.
class AscendingNumbers {
 public:
  void reserve(std::size_t numbers) { low_.reserve(numbers); }

  // `number` is not less than the last one.
  void append(std::uint64_t number) {
    while (number >> 32U > grows_at_.size()) grows_at_.push_back(low_.size());
    low_.push_back(static_cast<std::uint32_t>(number));
  }

  [[nodiscard]] std::size_t size() const { return low_.size(); }
  [[nodiscard]] std::uint64_t operator[](std::size_t place) const {
    std::uint64_t number = low_[place];
    for (std::size_t i = 0; i < grows_at_.size() && grows_at_[i] <= place; ++i)
      number += std::uint64_t{1} << 32U;
    return number;
  }

  // Says that the one at `place` comes soon.
  void expect(std::size_t place) const { __builtin_prefetch(&low_[place]); }

 private:
  std::vector<std::uint32_t> low_;
  std::vector<std::size_t> grows_at_;  // by one each, ascending
};

}  // namespace qdedup::miner
