// Whatever decode_evidence takes, encode_evidence writes back byte by byte, and join_evidence puts twice
// behind itself. Each input is also tried with the right hash, which no fuzzer guesses.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <xxhash.h>

#include "miner/evidence_chunk.h"

namespace {

void check(std::string_view chunk) {
  qdedup::miner::SeedLists lists;
  const bool decoded = qdedup::miner::decode_evidence(chunk, lists).ok();
  if (decoded ? qdedup::miner::encode_evidence(lists) != chunk : lists.size() > 0) std::abort();
  const qdedup::Result<std::string> joined = qdedup::miner::join_evidence(chunk, chunk);
  if (!decoded) return;
  lists.append(qdedup::miner::SeedLists(lists));
  if (!joined.ok() || *joined != qdedup::miner::encode_evidence(lists)) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string chunk(reinterpret_cast<const char*>(data), size);
  check(chunk);
  const std::uint64_t hash = XXH3_64bits(chunk.data(), chunk.size());
  for (unsigned shift = 0; shift < 64; shift += 8) chunk += static_cast<char>(hash >> shift);
  check(chunk);
  return 0;
}
