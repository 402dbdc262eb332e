#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace qdedup::db {

// Each page of our databases ends, in the bytes that SQLite reserves for extensions, with the XXH3 64-bit
// hash of what stands before it, exclusive-or its number (from 1), little-endian: so a page in the place of
// another is damage.
inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t checksum_bytes = 8;

// SQLite never uses the page that its lock bytes are in. Counted from 1.
inline constexpr std::uint32_t lock_page = 0x40000000 / page_bytes + 1;

bool checksum_holds(std::span<const std::byte, page_bytes> page, std::uint64_t number);
void set_checksum(std::span<std::byte, page_bytes> page, std::uint64_t number);

// Whether the header of a database says that its pages are of that size and have room for a checksum.
bool leaves_room_for_checksums(std::span<const std::byte> first_page);

}  // namespace qdedup::db
