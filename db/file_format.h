#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// SQLite's write-ahead log and its index (-wal and -shm), as its documentation has them ("WAL-mode File
// Format"): a header, then frames, each of a header and a page. Each frame has the running checksum of all up
// to it. A generation of the log has a salt of its own; frames with another one are left over.

inline constexpr std::size_t wal_header_bytes = 32;
inline constexpr std::size_t frame_header_bytes = 24;
inline constexpr std::size_t frame_bytes = frame_header_bytes + page_bytes;

using WalSalt = std::array<std::byte, 8>;

struct WalChecksum {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  friend bool operator==(const WalChecksum&, const WalChecksum&) = default;
};

// Frames are counted from 1.
constexpr std::int64_t frame_offset(std::uint64_t frame) {
  return static_cast<std::int64_t>(wal_header_bytes + (frame - 1) * frame_bytes);
}

// Where the checksum stands that a frame at this offset goes on from: in the frame before it, or the header.
constexpr std::int64_t checksum_before(std::int64_t frame_at) {
  return frame_at == frame_offset(1) ? 24 : frame_at - static_cast<std::int64_t>(frame_bytes) + 16;
}

struct WalHeader {
  WalSalt salt;
  WalChecksum checksum;
};
// Nothing unless it is sound, of our page size and of this machine's byte order.
std::optional<WalHeader> parse_wal_header(std::span<const std::byte, wal_header_bytes> bytes);

struct FrameHeader {
  std::uint32_t page = 0;
  bool commits = false;
  WalSalt salt{};
  WalChecksum checksum;
};
FrameHeader parse_frame_header(std::span<const std::byte, frame_header_bytes> bytes);
WalChecksum parse_checksum(std::span<const std::byte, 8> bytes);

// The checksum that belongs into a frame, by that of the frame before.
WalChecksum frame_checksum(WalChecksum before, std::span<const std::byte, frame_bytes> frame);
void set_frame_checksum(std::span<std::byte, frame_bytes> frame, WalChecksum checksum);

// What the index of a log says.
struct WalIndex {
  WalSalt salt;
  std::uint32_t frames;      // that are committed
  std::uint32_t backfilled;  // of these, how many are in the database as well
};
inline constexpr std::size_t wal_index_bytes = 136;
// Nothing while it is being made.
std::optional<WalIndex> parse_wal_index(std::span<const std::byte, wal_index_bytes> bytes);

}  // namespace qdedup::db
