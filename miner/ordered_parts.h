#pragma once

#include <cstddef>
#include <functional>

#include "base/progress.h"
#include "base/result.h"
#include "miner/id_numbers.h"
#include "miner/numbered_lists.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

// The number of lists, and of ids in all of them.
struct ListSums {
  std::size_t lists = 0;
  std::size_t ids = 0;
};

// Passes the distinct lists to `take` in `parts` of about the same size: all lists of a part precede those of
// the next one in canonical order, and of lists with the same ids, the one with the highest top score is
// kept. Keeps one part in memory. Reads the source once for a single part; for several, twice per part and
// once more. Reports the total number of lists read.
Status for_each_part(const ListSource& source, const IdNumbers& numbers, const ListSums& sums,
                     std::size_t parts, const WorkShare& share, const Progress& progress,
                     const std::function<void(NumberedLists)>& take);

}  // namespace qdedup::miner
