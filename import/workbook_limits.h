#pragma once

#include <cstddef>
#include <cstdint>

// What a workbook may cost. A file that needs more is refused.
namespace qdedup::import::workbook_limits {

inline constexpr std::uint64_t file_bytes = 0xFFFF'FFFF;  // more would need the long form of ZIP
inline constexpr std::uint64_t parts = 10'000;
inline constexpr std::uint64_t directory_bytes = std::uint64_t{16} << 20U;
inline constexpr std::uint64_t unpacked_bytes = std::uint64_t{8}
                                                << 30U;  // texts count each time they are referred to
inline constexpr std::uint64_t ratio = 250;              // of a part, unpacked to packed, …
inline constexpr std::uint64_t free_of_ratio = std::uint64_t{64}
                                               << 20U;  // … that unpacks to more bytes than this
inline constexpr std::size_t relations = 10'000;        // of a part
inline constexpr std::size_t name_bytes = 4096;         // of a relation, its target, or a sheet
inline constexpr std::size_t sheets = 1000;
inline constexpr std::size_t shared_bytes = std::size_t{1}
                                            << 30U;  // of texts in memory, with what each costs
inline constexpr std::size_t row_bytes = std::size_t{16} << 20U;
inline constexpr std::size_t ranges = 100'000;  // of a sheet: merged cells, hidden columns
inline constexpr std::size_t styles = 100'000;
inline constexpr std::size_t tag_bytes = std::size_t{1} << 20U;
inline constexpr unsigned depth = 64;  // of elements

// Of a worksheet, by Excel.
inline constexpr std::uint32_t rows = 1'048'576;
inline constexpr std::uint32_t columns = 16'384;
inline constexpr std::size_t cell_units = 32'767;  // UTF-16 code units of a text

}  // namespace qdedup::import::workbook_limits
