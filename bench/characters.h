#pragma once

#include <array>

#include "bench/random_stream.h"

namespace qdedup::bench {

// Draws Han characters as often as they occur (measured.h). The first few hundred are common characters, the
// others come from U+4E00 to U+9FA5.
class Characters {
 public:
  Characters();

  [[nodiscard]] char32_t draw(RandomStream& random) const { return drawn_[random.bits() >> 48U]; }

 private:
  std::array<char16_t, 65536> drawn_{};
};

}  // namespace qdedup::bench
