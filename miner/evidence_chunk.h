#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "miner/seed_lists.h"

namespace qdedup::miner {

// Seed lists as the bytes that the store keeps:
//
//   1 byte    version, 1
//   varint    number of lists
//   per list  8 bytes  top score, IEEE 754 binary64
//             varint   number of ids, at least 2
//             varint   first id
//             varint   each further id: the zigzag code of its difference to the id before it
//   8 bytes   XXH3 64-bit hash (seed 0) of all bytes before
//
// Numbers are little-endian; a varint is as base/varint.h has it; the zigzag codes of 0, -1, 1, -2, 2 … are
// 0, 1, 2, 3, 4 … The lists are as select() makes them: finite top score, two ids or more, ids from 1 to
// 2^63-1.
std::string encode_evidence(const SeedLists& lists);

// Of a chunk, for estimating how many ids it lists.
inline constexpr std::uint64_t usual_bytes_per_id = 5;

// Appends the lists of `chunk` to `lists`. Fails with ErrorCode::data, leaving `lists` unchanged, on anything
// that encode_evidence would not have written: another version, a wrong hash, ids or scores out of range, a
// list with fewer than two ids, a varint not in its shortest form, missing or extra bytes. Memory is bounded
// by the chunk's size.
[[nodiscard]] Status decode_evidence(std::string_view chunk, SeedLists& lists);

// The lists of `first`, then those of `second`, as one chunk. Fails with ErrorCode::data on another version
// or a wrong hash; the lists are copied as they are. Linear in the bytes of both.
Result<std::string> join_evidence(std::string_view first, std::string_view second);

}  // namespace qdedup::miner
