// Whatever decode_sketches takes comes back from encode_sketches. Each input is also tried with the right
// hash, which no fuzzer guesses.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <xxhash.h>

#include "db/sketches.h"

namespace {

void check(std::string_view run) {
  std::vector<qdedup::db::SketchEntry> entries;
  if (!qdedup::db::decode_sketches(run, entries).ok()) return;
  std::vector<qdedup::db::SketchEntry> again;
  if (!qdedup::db::decode_sketches(qdedup::db::encode_sketches(entries), again).ok()) std::abort();
  if (again != entries) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string run(reinterpret_cast<const char*>(data), size);
  check(run);
  const std::uint64_t hash = XXH3_64bits(run.data(), run.size());
  for (unsigned shift = 0; shift < 64; shift += 8) run += static_cast<char>(hash >> shift);
  check(run);
  return 0;
}
