#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qdedup {

// A varint is an unsigned number in the shortest form of LEB128 (DWARF 5, 7.6): seven bits per byte, lowest
// first, with the top bit set in all bytes but the last; at most 10 bytes.

// Appends `value` to `bytes`.
inline void put_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7F) | 0x80);
  bytes += static_cast<char>(value);
}

// Removes a varint from the front of `bytes`. None, and `bytes` unchanged, unless put_varint could have
// written it: so not if it is cut short, beyond 64 bits, or longer than needed. Most take one or two bytes.
inline std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  std::size_t taken = 0;
  for (unsigned shift = 0; shift < 64 && taken < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[taken++]);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte >= 0x80) continue;
    const bool longer_than_needed = byte == 0 && shift > 0;
    const bool beyond_64_bits = byte > 1 && shift == 63;
    if (longer_than_needed || beyond_64_bits) return std::nullopt;
    bytes.remove_prefix(taken);
    return value;
  }
  return std::nullopt;
}

}  // namespace qdedup
