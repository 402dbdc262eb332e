#pragma once

#include <cstdint>
#include <optional>

namespace qdedup::refine {

// Whether a pair that was compared is still valid for the texts of now.
enum class Standing : std::uint8_t {
  holds,
  keeper_gone,   // the keeper has left the bank
  text_changed,  // that of the question or of the keeper
};

// The texts of a pair when it was compared (refine::text_hash).
struct PairHashes {
  std::uint64_t question = 0;
  std::uint64_t keeper = 0;

  friend bool operator==(const PairHashes&, const PairHashes&) = default;
};

// Compares them with the texts now in the bank; none: the question has left. One that left does not count as
// changed: its deletion stays until it is applied or the question returns. What was applied or rejected
// `outlives` its keeper.
Standing standing_of(const PairHashes& compared, bool outlives, std::optional<std::uint64_t> question,
                     std::optional<std::uint64_t> keeper);

}  // namespace qdedup::refine
