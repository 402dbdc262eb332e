#include "refine/sketch.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace qdedup::refine {
namespace {

constexpr std::uint8_t longest = std::numeric_limits<std::uint8_t>::max();

std::uint64_t class_bit(char32_t c) { return std::uint64_t{1} << ((c * 0x9E3779B1U) >> 26U); }

// How many characters that `a` holds `b` lacks, as far as sketches tell.
int only_in_first(const QuestionSketch& a, const QuestionSketch& b) {
  return std::popcount(a.once & ~b.once) + std::popcount(a.twice & ~b.twice);
}

}  // namespace

QuestionSketch sketch_of(const Parts& parts) {
  QuestionSketch sketch;
  for (const char32_t c : parts.han) {
    const std::uint64_t bit = class_bit(c);
    sketch.twice |= sketch.once & bit;
    sketch.once |= bit;
  }
  sketch.signs = static_cast<std::uint32_t>(sign_fingerprint(parts));
  sketch.han_length = static_cast<std::uint8_t>(std::min<std::size_t>(parts.han.size(), longest));
  return sketch;
}

// The lengths of long Han parts are not known. Two of them may be anything; with a shorter one, they are the
// less alike the longer they are, and what a length has more has to be edited.
bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings) {
  if (a.signs != b.signs) return false;
  const std::uint8_t length = std::max(a.han_length, b.han_length);
  const auto limit = static_cast<int>(distance_limit(length, settings.min_similarity));
  if (std::abs(int{a.han_length} - int{b.han_length}) > limit) return false;
  return length == longest || std::max(only_in_first(a, b), only_in_first(b, a)) <= limit;
}

}  // namespace qdedup::refine
