#pragma once

#include <cstddef>
#include <functional>

#include "base/progress.h"
#include "base/result.h"
#include "miner/id_numbers.h"
#include "miner/numbered_lists.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

// How many lists there are, and ids in all of them.
struct ListSums {
  std::size_t lists = 0;
  std::size_t ids = 0;
};

// Hands the distinct lists to `take` in `parts` of about the same size: all lists of a part precede those of
// the next in canonical order, and of lists with the same ids the one with the highest top score is there.
// Keeps one part in memory, and reads the source once for each part; for more than one, as often again and
// once more. Reports how many lists were read in all.
Status for_each_part(const ListSource& source, const IdNumbers& numbers, const ListSums& sums,
                     std::size_t parts, const WorkShare& share, const Progress& progress,
                     const std::function<void(NumberedLists)>& take);

}  // namespace qdedup::miner
