// Any bytes as a config: problems with their places, or settings that survive a dump.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "config/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace qdedup::config;
  const auto settings = parse_settings({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!settings.ok()) return 0;
  const std::string dump = dump_settings(*settings);
  const auto again = parse_settings(dump, "dump");
  if (!again.ok() || dump_settings(*again) != dump) std::abort();
  return 0;
}
