#include "refine/distance.h"

#include <algorithm>
#include <utility>

#include "refine/common_affixes.h"
#include "refine/distance_kernels.h"

namespace qdedup::refine {
namespace {

// The kernels of one distance.
struct Kernels {
  using Kernel = std::size_t (*)(std::u32string_view, std::u32string_view, std::size_t limit, Band band);

  Band (*band)(std::size_t limit, std::size_t surplus);
  Kernel banded;
  Kernel striped;
};

constexpr Kernels levenshtein_kernels{levenshtein_band, banded_levenshtein, striped_levenshtein};
constexpr Kernels lcs_kernels{lcs_band, banded_lcs, striped_lcs};

std::size_t distance(std::u32string_view a, std::u32string_view b, std::size_t cutoff,
                     const Kernels& kernels) {
  if (a.size() > b.size()) std::swap(a, b);
  const std::size_t surplus = b.size() - a.size();
  if (surplus > cutoff) return cutoff + 1;
  const CommonAffixes affixes = common_affixes(a, b);  // change neither distance
  a = without_affixes(a, affixes);
  b = without_affixes(b, affixes);
  if (a.empty()) return surplus;
  const std::size_t limit = std::min(cutoff, b.size());
  const Band band = kernels.band(limit, surplus);
  const auto kernel = band.width() <= max_band_width ? kernels.banded : kernels.striped;
  return kernel(a, b, limit, band);
}

}  // namespace

std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b, std::size_t cutoff) {
  return distance(a, b, cutoff, levenshtein_kernels);
}

std::size_t lcs_distance(std::u32string_view a, std::u32string_view b, std::size_t cutoff) {
  return distance(a, b, cutoff, lcs_kernels);
}

}  // namespace qdedup::refine
