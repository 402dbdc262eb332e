#include "review/share_estimate.h"

#include <algorithm>
#include <cmath>

namespace qdedup::review {

ShareEstimate estimate_share(std::uint64_t successes, std::uint64_t trials) {
  if (trials == 0) return {};
  constexpr double z = 1.959963984540054;  // 97.5 % of the normal distribution
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double scale = 1 + z * z / n;
  const double centre = (share + z * z / (2 * n)) / scale;
  const double reach = z / scale * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {share, std::max(0.0, centre - reach), std::min(1.0, centre + reach)};
}

}  // namespace qdedup::review
