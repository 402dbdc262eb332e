#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace qdedup::iteration {

// Numbers from 0 on in disjoint sets, each named by its smallest number. A join makes the ways that it goes
// shorter (path halving): logarithmic, taken over many joins.
class DisjointNumbers {
 public:
  explicit DisjointNumbers(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0U); }

  [[nodiscard]] std::size_t size() const { return above_.size(); }

  // The smallest number of the set, found in as many steps as joins have left of the way there, which stays
  // as it is. On any number of threads while nothing is joined.
  [[nodiscard]] std::uint32_t set_of(std::uint32_t number) const {
    while (above_[number] != number) number = above_[number];
    return number;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = shortened(a);
    b = shortened(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  // set_of, and makes the way there shorter for the next time.
  std::uint32_t shortened(std::uint32_t number) {
    while (above_[number] != number) {
      above_[number] = above_[above_[number]];
      number = above_[number];
    }
    return number;
  }

  std::vector<std::uint32_t> above_;
};

}  // namespace qdedup::iteration
