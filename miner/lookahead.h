#pragma once

#include <cstddef>

namespace qdedup::miner {

// How many steps before its turn an element is expected, so that it is in the cache by then.
inline constexpr std::size_t lookahead = 16;

}  // namespace qdedup::miner
