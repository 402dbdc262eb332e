#pragma once

#include <cstdint>

namespace qdedup::review {

// A share that was estimated from a sample, and the 95 % confidence interval round it.
struct ShareEstimate {
  double share = 0;
  double low = 0;
  double high = 1;
};

// Wilson's score interval (Journal of the American Statistical Association 22, 1927), which holds for small
// samples and for shares near 1 too. Of no trials nothing is known: 0, from 0 to 1.
ShareEstimate estimate_share(std::uint64_t successes, std::uint64_t trials);

}  // namespace qdedup::review
