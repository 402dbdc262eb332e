#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qdedup::refine {

// How often characters occur in a text, in 64 counts that several characters share, each up to 255. Tells of
// most texts that are not alike that they are not, in a few nanoseconds.
class CharacterBag {
 public:
  // Linear.
  explicit CharacterBag(std::u32string_view text);

  // A distance between the two texts that neither levenshtein_distance nor lcs_distance is below: an edit
  // takes at most one character out of the bag and puts at most one in. Counts that are shared or at their
  // end only make it smaller.
  [[nodiscard]] std::size_t least_distance(const CharacterBag& other) const;

 private:
  static constexpr std::size_t size = 64;

  alignas(16) std::array<std::uint8_t, size> counts_{};
};

}  // namespace qdedup::refine
