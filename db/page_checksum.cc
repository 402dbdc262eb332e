#include "db/page_checksum.h"

#include <array>
#include <cstdint>
#include <cstring>

#include <xxhash.h>

namespace qdedup::db {
namespace {

std::array<std::byte, checksum_bytes> checksum_of(std::span<const std::byte, page_bytes> page,
                                                  std::uint64_t number) {
  const std::uint64_t hash = XXH3_64bits(page.data(), page_bytes - checksum_bytes) ^ number;
  std::array<std::byte, checksum_bytes> bytes{};
  for (std::size_t i = 0; i < checksum_bytes; ++i) bytes[i] = static_cast<std::byte>(hash >> (8 * i));
  return bytes;
}

}  // namespace

bool checksum_holds(std::span<const std::byte, page_bytes> page, std::uint64_t number) {
  const auto checksum = checksum_of(page, number);
  return std::memcmp(page.last<checksum_bytes>().data(), checksum.data(), checksum_bytes) == 0;
}

void set_checksum(std::span<std::byte, page_bytes> page, std::uint64_t number) {
  const auto checksum = checksum_of(page, number);
  std::memcpy(page.last<checksum_bytes>().data(), checksum.data(), checksum_bytes);
}

bool leaves_room_for_checksums(std::span<const std::byte> first_page) {
  // Big-endian size of a page at 16, reserved bytes at 20 (SQLite file format, 1.3).
  return first_page.size() > 20 && first_page[16] == std::byte{page_bytes >> 8U} &&
         first_page[17] == std::byte{page_bytes & 0xFFU} && first_page[20] == std::byte{checksum_bytes};
}

}  // namespace qdedup::db
