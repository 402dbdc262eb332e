#pragma once

#include <functional>

#include "base/result.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

// Hands all lists to `take`, some at a time; whenever it is called the same ones in the same order.
using ListSource = std::function<Status(const std::function<void(const SeedLists&)>& take)>;

}  // namespace qdedup::miner
