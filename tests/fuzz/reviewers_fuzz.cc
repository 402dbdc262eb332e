// Any bytes as the file of reviewers, and as a key: problems with their lines, or reviewers that survive
// writing; nobody gets in by a key that was not made for them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/reviewers.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace qdedup::config;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto reviewers = parse_reviewers(text, "fuzz");
  if (!reviewers.ok()) {
    require(reviewers.error().message.starts_with("fuzz: line "));
  } else {
    require(*parse_reviewers(text_of(*reviewers), "written") == *reviewers);
    for (const Reviewer& each : *reviewers) require(find_reviewer(*reviewers, each.name) == &each);
  }
  static const Reviewer ann{"ann", *hash_of("k7m2p-9xq4d-00000-zzzzz-abcde")};
  require(!is_key_of(text, &ann) || text.size() >= 25);
  require(!is_key_of(text, nullptr));
  return 0;
}
