#include "refine/sketch.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <limits>

namespace qdedup::refine {
namespace {

constexpr std::uint8_t longest = std::numeric_limits<std::uint8_t>::max();

std::uint64_t class_bit(char32_t c) { return std::uint64_t{1} << ((c * 0x9E3779B1U) >> 26U); }

// A distance between the Han parts that the real one is not below.
std::size_t least_distance(const QuestionSketch& a, const QuestionSketch& b) {
  const int only_in_a = std::popcount(a.characters & ~b.characters);
  const int only_in_b = std::popcount(b.characters & ~a.characters);
  const int longer_by = std::abs(int{a.han_length} - int{b.han_length});
  return static_cast<std::size_t>(std::max({only_in_a, only_in_b, longer_by}));
}

}  // namespace

QuestionSketch sketch_of(const Parts& parts) {
  QuestionSketch sketch;
  for (const char32_t c : parts.han) sketch.characters |= class_bit(c);
  sketch.signs = static_cast<std::uint32_t>(sign_fingerprint(parts));
  sketch.han_length = static_cast<std::uint8_t>(std::min<std::size_t>(parts.han.size(), longest));
  return sketch;
}

bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings) {
  if (a.signs != b.signs) return false;
  const std::uint8_t length = std::max(a.han_length, b.han_length);
  return length == longest || least_distance(a, b) <= distance_limit(length, settings.min_similarity);
}

}  // namespace qdedup::refine
