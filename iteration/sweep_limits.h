#pragma once

#include <cstddef>

namespace qdedup::iteration {

// How much a sweep takes at once. What it comes to does not depend on it.
struct SweepLimits {
  std::size_t questions_per_pass = 2'000'000;  // that are held in memory together
  std::size_t indexed_at_once = 0;             // 0: as many as there is memory for
  std::size_t block = 2048;                    // looked up side by side (iteration/sweep_group.h), at least 1
  std::size_t large_group = 20'000;            // questions from which a group has all threads for itself
  std::size_t near_slice = 256;                // consecutive texts of a thread (iteration/near_groups.h)
};

}  // namespace qdedup::iteration
