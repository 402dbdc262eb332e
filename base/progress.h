#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace qdedup {

// Told now and then how far a long task is: `done` of `total` (0: not known) in `unit`s, "bytes" or a plural
// noun.
using Progress = std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total,
                                    std::string_view unit)>;

inline void no_progress(std::string_view /*stage*/, std::uint64_t /*done*/, std::uint64_t /*total*/,
                        std::string_view /*unit*/) {}

}  // namespace qdedup
