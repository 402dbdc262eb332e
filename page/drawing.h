#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qdedup::page {

// `size` of `ids` (or all, if there are fewer), in random order, each choice equally likely. The same for the
// same seed. Linear.
std::vector<std::int64_t> draw(std::vector<std::int64_t> ids, std::size_t size, std::uint64_t seed);

}  // namespace qdedup::page
