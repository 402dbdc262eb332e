// What asks for a lease, and notes what was done with it: nothing in it has a name that could not be logged
// as it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "daemon/leases.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto request = qdedup::daemon::parse_lease_request(text)) {
    if (request->command.empty() ||
        request->command.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos) {
      std::abort();
    }
  }
  if (const auto note = qdedup::daemon::parse_lease_note(text)) {
    for (const auto& [name, count] : note->counts) {
      if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos)
        std::abort();
    }
  }
  return 0;
}
