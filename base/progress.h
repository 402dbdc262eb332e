#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace qdedup {

// Called now and then during a long task: `done` out of `total` (0: unknown), counted in `unit`, which is
// "bytes" or a plural noun.
using Progress = std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total,
                                    std::string_view unit)>;

inline void no_progress(std::string_view /*stage*/, std::uint64_t /*done*/, std::uint64_t /*total*/,
                        std::string_view /*unit*/) {}

}  // namespace qdedup
