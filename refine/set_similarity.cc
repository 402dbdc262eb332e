#include "refine/set_similarity.h"

#include <cmath>

namespace qdedup::refine {
namespace {

constexpr std::uint64_t percent = 100;
constexpr std::uint64_t all = percent * percent;

__extension__ using Wide = unsigned __int128;

std::uint64_t quotient_rounded_up(std::uint64_t dividend, std::uint64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

}  // namespace

bool are_alike(SetMeasure measure, const SetSizes& sizes, std::uint64_t min_similarity) {
  const auto& [a, b, common] = sizes;
  if (measure == SetMeasure::jaccard) return percent * common >= min_similarity * (a + b - common);
  return a > 0 && b > 0 && all * common * common >= min_similarity * min_similarity * a * b;
}

std::uint64_t min_common(SetMeasure measure, std::uint64_t size, std::uint64_t min_similarity) {
  return measure == SetMeasure::jaccard
             ? quotient_rounded_up(min_similarity * size, percent)
             : quotient_rounded_up(min_similarity * min_similarity * size, percent * percent);
}

std::uint64_t hundredths_alike(SetMeasure measure, const SetSizes& sizes) {
  const std::uint64_t common = sizes.common;
  if (measure == SetMeasure::jaccard) {
    const std::uint64_t together = sizes.a + sizes.b - common;
    return (2 * all * common + together) / (2 * together);
  }
  if (common == 0) return 0;
  const std::uint64_t product = sizes.a * sizes.b;
  // The largest h with h - 1/2 <= all * common / sqrt(product); the estimate is one off at most.
  const auto is_reached = [&](std::uint64_t h) {
    return Wide{2 * h - 1} * (2 * h - 1) * product <= Wide{4} * all * all * common * common;
  };
  auto h = static_cast<std::uint64_t>(
      std::lround(static_cast<double>(all * common) / std::sqrt(static_cast<double>(product))));
  if (h > 0 && !is_reached(h)) --h;
  return is_reached(h + 1) ? h + 1 : h;
}

}  // namespace qdedup::refine
