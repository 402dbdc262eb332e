// The first byte chooses format and pointer, the rest is the line. LineParser and its slow twin must agree.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/support/line_agreement.h"

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using qdedup::miner::LineFormat;
  constexpr std::array<std::string_view, 6> pointers = {"", "/results", "/a", "/a/0", "/a/1/b", "/"};
  if (size == 0) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t choice = data[0] % (pointers.size() + 1);
  const bool array = choice == pointers.size();
  const std::string disagreement = qdedup::support::disagreement_on_line(
      array ? LineFormat::array : LineFormat::object, array ? "" : pointers.at(choice), line);
  if (disagreement.empty()) return 0;
  std::fprintf(stderr, "%s\n", disagreement.c_str());
  std::abort();
}
