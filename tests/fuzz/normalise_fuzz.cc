// Any bytes have the normal form and the parts that the slow twins say.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "refine/normalise.h"
#include "refine/parts.h"
#include "tests/reference/normalising.h"
#include "tests/reference/splitting.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

std::u32string joined(const std::vector<std::u32string>& signs) {
  std::u32string all;
  for (const std::u32string& sign : signs) (all += sign) += qdedup::refine::Parts::end_of_sign;
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::u32string normal = qdedup::refine::normalise(text);
  require(normal == qdedup::reference::normalise(text));

  const qdedup::refine::Parts parts = qdedup::refine::split(normal);
  const qdedup::reference::SplitText twin = qdedup::reference::split(normal);
  require(parts.han == twin.han);
  require(parts.signs == joined(twin.signs));
  return 0;
}
