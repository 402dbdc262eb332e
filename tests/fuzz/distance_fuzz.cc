// Two texts have the distances that the slow twins say, whatever the cutoff. The first two bytes are the
// cutoff and where the second text starts; each other byte is one character, from a small alphabet or a large
// one.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "refine/distance.h"
#include "tests/reference/text_distance.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

std::size_t cut_off(std::size_t distance, std::size_t cutoff) {
  return distance <= cutoff ? distance : cutoff + 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::size_t cutoff = data[0];
  const char32_t alphabet = data[2] % 2 == 0 ? 4 : 256;
  std::u32string text;
  for (std::size_t i = 3; i < size; ++i) text += U'\u4E00' + data[i] % alphabet;
  const std::size_t middle = text.size() * data[1] / 255;
  const std::u32string_view a = std::u32string_view(text).substr(0, middle);
  const std::u32string_view b = std::u32string_view(text).substr(middle);

  using namespace qdedup;
  require(refine::levenshtein_distance(a, b, cutoff) ==
          cut_off(reference::levenshtein_distance(a, b), cutoff));
  require(refine::lcs_distance(a, b, cutoff) == cut_off(reference::lcs_distance(a, b), cutoff));
  return 0;
}
