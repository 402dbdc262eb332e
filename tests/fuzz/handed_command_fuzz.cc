// Any bytes as what the tool hands to the daemon, and as what the daemon says of its progress: errors, or
// what survives being written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/handed_command.h"
#include "cli/remote_lines.h"

namespace {

using namespace qdedup::cli;

void read_command(std::string_view text) {
  const auto command = parse_handed_command(text);
  if (!command.ok()) return;
  const std::string written = to_json(*command);
  const auto again = parse_handed_command(written);
  if (!again.ok() || to_json(*again) != written) std::abort();
}

void read_progress(std::string_view text) {
  const auto progress = parse_progress(text);
  if (!progress) return;
  const std::string written = progress_text(*progress);
  const auto again = parse_progress(written);
  if (!again || progress_text(*again) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_command(text);
  read_progress(text);
  return 0;
}
