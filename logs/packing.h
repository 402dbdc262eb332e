#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qdedup::logs {

enum class Compression { none, gzip, zstd };

// This many first bytes determine what packed a file.
inline constexpr std::size_t magic_bytes = 10;

// gzip by RFC 1952, zstd by RFC 8878 (a frame or a skippable frame).
[[nodiscard]] Compression compression_of(std::string_view first_bytes);

// What is wrong with a file that other programs packed (xz, zip, …), and how to mend it.
[[nodiscard]] std::optional<std::string> other_packing(std::string_view first_bytes);

// The same where the first bytes that were unpacked are packed again.
[[nodiscard]] std::optional<std::string> second_packing(std::string_view first_unpacked_bytes);

// Whether the first bytes are too few to tell, and may become those of a compressed file.
[[nodiscard]] bool is_undecided(std::string_view first_bytes);

// A hole in a file costs nothing, however long it is; as padding, skippable frames or empty blocks it would
// be read without end. Lines that were packed one by one take ten times their size at most.
inline bool holds_too_little(std::uint64_t packed, std::uint64_t unpacked) {
  return packed > std::uint64_t{16} << 20U && packed / 32 > unpacked;
}

inline constexpr const char* too_little = "most of it unpacks to nothing";

}  // namespace qdedup::logs
