// Bytes that are said to be saved hashes are refused; records that were saved are loaded as they were, and
// not if a byte was changed.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "finder/hash_tables.h"

namespace {

std::string saved(qdedup::finder::HashTables tables) {
  std::string bytes;
  tables.save([&](std::string_view piece) { bytes += piece; });
  return bytes;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using qdedup::finder::HashRecord;
  using qdedup::finder::HashTables;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  (void)HashTables::load(bytes, {});
  std::vector<HashRecord> records(size / HashRecord::bytes);
  if (!records.empty()) std::memcpy(records.data(), data, records.size() * HashRecord::bytes);
  std::erase_if(records, [](const HashRecord& record) { return record.id() < 1; });
  std::set<std::pair<std::uint64_t, qdedup::QuestionId>> known;
  std::erase_if(records,
                [&](const HashRecord& record) { return !known.emplace(record.hash(), record.id()).second; });
  const std::string whole = saved(HashTables({}, records));
  auto loaded = HashTables::load(whole, {});
  if (!loaded.ok() || saved(*loaded) != whole) std::abort();
  for (const HashRecord& record : records) {
    if (loaded->query(record.hash()).empty()) std::abort();
  }
  std::string damaged = whole;
  if (size > 0) damaged[data[0] % damaged.size()] = static_cast<char>(data[size - 1]);
  auto again = HashTables::load(damaged, {});
  if (again.ok() && damaged != whole) std::abort();
  return 0;
}
