#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace qdedup::db {

// Each page of our databases ends, in the bytes that SQLite reserves for extensions, with the XXH3 64-bit
// hash of the bytes before, XORed with the page number (from 1), little-endian. So a page in the wrong place
// is detected as well.
inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t checksum_bytes = 8;

// SQLite never uses the page that contains its lock bytes. Counted from 1.
inline constexpr std::uint32_t lock_page = 0x40000000 / page_bytes + 1;

// The four bytes from `at` on.
std::uint32_t big_endian(std::span<const std::byte> bytes, std::size_t at);

bool checksum_holds(std::span<const std::byte, page_bytes> page, std::uint64_t number);
void set_checksum(std::span<std::byte, page_bytes> page, std::uint64_t number);

// Whether the header of a database specifies this page size and room for a checksum.
bool leaves_room_for_checksums(std::span<const std::byte> first_page);

// SQLite's write-ahead log and its index (-wal and -shm), as documented in "WAL-mode File Format": a header,
// then frames, each a header and a page. Each frame has the running checksum of everything up to it. Each
// generation of the log has its own salt; frames with another salt are left over from earlier ones.

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

// Offset of the checksum that the frame at this offset continues: in the previous frame, or in the header.
constexpr std::int64_t checksum_before(std::int64_t frame_at) {
  return frame_at == frame_offset(1) ? 24 : frame_at - static_cast<std::int64_t>(frame_bytes) + 16;
}

struct WalHeader {
  WalSalt salt;
  WalChecksum checksum;
};
// None unless it is sound, of our page size and this machine's byte order.
std::optional<WalHeader> parse_wal_header(std::span<const std::byte, wal_header_bytes> bytes);

struct FrameHeader {
  std::uint32_t page = 0;
  bool commits = false;
  WalSalt salt{};
  WalChecksum checksum;
};
FrameHeader parse_frame_header(std::span<const std::byte, frame_header_bytes> bytes);
WalChecksum parse_checksum(std::span<const std::byte, 8> bytes);

// The checksum of a frame, given that of the frame before.
WalChecksum frame_checksum(WalChecksum before, std::span<const std::byte, frame_bytes> frame);
void set_frame_checksum(std::span<std::byte, frame_bytes> frame, WalChecksum checksum);

// The contents of a log's index.
struct WalIndex {
  WalSalt salt;
  std::uint32_t frames;      // committed ones
  std::uint32_t backfilled;  // how many of these are also in the database
};
inline constexpr std::size_t wal_index_bytes = 136;
// None while the index is being written.
std::optional<WalIndex> parse_wal_index(std::span<const std::byte, wal_index_bytes> bytes);

}  // namespace qdedup::db
