#pragma once

#include <cstdint>

namespace qdedup::logs {

// A hole in a file costs nothing, however long it is; as padding, skippable frames or empty blocks it would
// be read without end. Lines that were packed one by one take ten times their size at most.
inline bool holds_too_little(std::uint64_t packed, std::uint64_t unpacked) {
  return packed > std::uint64_t{16} << 20U && packed / 32 > unpacked;
}

inline constexpr const char* too_little = "most of it unpacks to nothing";

}  // namespace qdedup::logs
