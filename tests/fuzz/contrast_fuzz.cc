// Two texts, parted by a byte 0: ranges lie within the texts, exchanging the texts exchanges the ranges, and
// a text does not differ from itself.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "refine/contrast.h"
#include "refine/unicode.h"

namespace {

using qdedup::refine::CharacterCounts;
using qdedup::refine::CodePointRange;
using qdedup::refine::Confidence;
using qdedup::refine::Contrast;
using qdedup::refine::Finding;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_within(CodePointRange range, std::size_t size) {
  require(range.begin <= range.end && range.end <= size);
}

void require_within(const std::vector<Finding>& findings, std::size_t question_size,
                    std::size_t keeper_size) {
  for (const Finding& finding : findings) {
    require_within(finding.question, question_size);
    require_within(finding.keeper, keeper_size);
    require(finding.kind.find(';') == std::string::npos);
  }
}

void exchange(std::vector<Finding>& findings) {
  for (Finding& finding : findings) std::swap(finding.question, finding.keeper);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(bytes.find('\0'), bytes.size());
  const std::string_view a = bytes.substr(0, cut);
  const std::string_view b = bytes.substr(std::min(cut + 1, bytes.size()));
  const CharacterCounts bank;

  const Contrast forth = contrast({a}, {b}, bank, {});
  const std::size_t a_size = qdedup::refine::to_utf32(a).size();
  const std::size_t b_size = qdedup::refine::to_utf32(b).size();
  require_within(forth.reasons, a_size, b_size);
  require_within(forth.harmless, a_size, b_size);
  require((forth.confidence == Confidence::safe) == forth.reasons.empty());

  Contrast back = contrast({b}, {a}, bank, {});
  exchange(back.reasons);
  exchange(back.harmless);
  require(back == forth);
  require(contrast({a}, {a}, bank, {0, 0}).confidence == Confidence::safe);
  return 0;
}
