#include "db/file_format.h"

#include <algorithm>
#include <bit>
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

using Bytes = std::span<const std::byte>;

std::uint32_t native(Bytes bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.subspan(at, sizeof number).data(), sizeof number);
  return number;
}

void put_big_endian(std::span<std::byte> bytes, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(number >> (24 - 8 * i));
}

WalSalt salt_at(Bytes bytes, std::size_t at) {
  WalSalt salt{};
  std::ranges::copy(bytes.subspan(at, salt.size()), salt.begin());
  return salt;
}

// `bytes` is a multiple of 8 bytes long, at most a page.
WalChecksum extended(WalChecksum sum, Bytes bytes) {
  std::array<std::uint32_t, page_bytes / 4> words;  // NOLINT(*-member-init): for each page that is written
  std::memcpy(words.data(), bytes.data(), bytes.size());
  const std::uint32_t* const end = words.data() + bytes.size() / 4;
  for (const std::uint32_t* word = words.data(); word != end; word += 2) {
    sum.first += word[0] + sum.second;
    sum.second += word[1] + sum.first;
  }
  return sum;
}

// Whether one of the two copies of the index's header is valid.
bool index_header_holds(Bytes header) {
  constexpr std::size_t checked = 40;
  const bool is_made = header[12] != std::byte{0};
  const WalChecksum stated{native(header, checked), native(header, checked + 4)};
  return is_made && extended({}, header.first(checked)) == stated;
}

}  // namespace

std::uint32_t big_endian(Bytes bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const std::byte byte : bytes.subspan(at, 4))
    number = (number << 8U) | static_cast<std::uint32_t>(byte);
  return number;
}

bool checksum_holds(std::span<const std::byte, page_bytes> page, std::uint64_t number) {
  const auto checksum = checksum_of(page, number);
  return std::memcmp(page.last<checksum_bytes>().data(), checksum.data(), checksum_bytes) == 0;
}

void set_checksum(std::span<std::byte, page_bytes> page, std::uint64_t number) {
  const auto checksum = checksum_of(page, number);
  std::memcpy(page.last<checksum_bytes>().data(), checksum.data(), checksum_bytes);
}

bool leaves_room_for_checksums(std::span<const std::byte> first_page) {
  // The page size is at offset 16 (big-endian), the number of reserved bytes at 20 (SQLite file format, 1.3).
  return first_page.size() > 20 && first_page[16] == std::byte{page_bytes >> 8U} &&
         first_page[17] == std::byte{page_bytes & 0xFFU} && first_page[20] == std::byte{checksum_bytes};
}

std::optional<WalHeader> parse_wal_header(std::span<const std::byte, wal_header_bytes> bytes) {
  constexpr std::uint32_t magic = 0x377f0682 | (std::endian::native == std::endian::big ? 1U : 0U);
  constexpr std::uint32_t format_version = 3007000;
  const WalChecksum stated = parse_checksum(bytes.last<8>());
  if (big_endian(bytes, 0) != magic || big_endian(bytes, 4) != format_version ||
      big_endian(bytes, 8) != page_bytes || extended({}, bytes.first<24>()) != stated) {
    return std::nullopt;
  }
  return WalHeader{salt_at(bytes, 16), stated};
}

FrameHeader parse_frame_header(std::span<const std::byte, frame_header_bytes> bytes) {
  return {big_endian(bytes, 0), big_endian(bytes, 4) != 0, salt_at(bytes, 8),
          parse_checksum(bytes.last<8>())};
}

WalChecksum parse_checksum(std::span<const std::byte, 8> bytes) {
  return {big_endian(bytes, 0), big_endian(bytes, 4)};
}

WalChecksum frame_checksum(WalChecksum before, std::span<const std::byte, frame_bytes> frame) {
  return extended(extended(before, frame.first<8>()), frame.last<page_bytes>());
}

void set_frame_checksum(std::span<std::byte, frame_bytes> frame, WalChecksum checksum) {
  put_big_endian(frame, 16, checksum.first);
  put_big_endian(frame, 20, checksum.second);
}

std::optional<WalIndex> parse_wal_index(std::span<const std::byte, wal_index_bytes> bytes) {
  constexpr std::size_t copy_bytes = 48;
  for (const std::size_t at : {std::size_t{0}, copy_bytes}) {
    const Bytes header = bytes.subspan(at, copy_bytes);
    if (!index_header_holds(header)) continue;
    return WalIndex{salt_at(header, 32), native(header, 16), native(bytes, 2 * copy_bytes)};
  }
  return std::nullopt;
}

}  // namespace qdedup::db
