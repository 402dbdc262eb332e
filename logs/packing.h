#pragma once

#include <cstddef>
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

}  // namespace qdedup::logs
