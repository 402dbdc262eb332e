#pragma once

#include <cstddef>
#include <functional>

namespace qdedup::miner {

// Calls work(i) once for each i below `count`, in any order, several at the same time perhaps, and returns
// when all are done. Who has threads hands one in; the miner has none.
using WorkShare = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

// One after the other.
inline void one_by_one(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

}  // namespace qdedup::miner
