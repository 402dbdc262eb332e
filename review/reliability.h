#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/json.h"
#include "refine/confidence.h"
#include "review/labelled_pairs.h"

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

// Labelled pairs by their risk, to see whether as many of them are not the same question as it says.
class Reliability {
 public:
  // Where a bin begins and the one before ends, in ten-thousandths; a certain risk is in the last bin. They
  // are narrow near 0, where most risks are.
  static constexpr std::array<int, 11> edges = {0, 50, 100, 200, 500, 1000, 2000, 4000, 6000, 8000, 10'000};

  struct Bin {
    std::uint64_t pairs = 0;
    std::uint64_t not_same = 0;
    std::uint64_t sum_of_risks = 0;  // in ten-thousandths

    [[nodiscard]] double mean_risk() const;  // 0 without pairs
    [[nodiscard]] ShareEstimate share_not_same() const { return estimate_share(not_same, pairs); }

    // The mean risk is in the interval of the share.
    [[nodiscard]] bool is_reliable() const;
  };

  // A pair whose label is neither same, different nor reordered does not count.
  void add(PairLabel label, refine::Risk risk);

  [[nodiscard]] const std::array<Bin, edges.size() - 1>& bins() const { return bins_; }

 private:
  std::array<Bin, edges.size() - 1> bins_{};
};

// A line for each bin with pairs, under a heading; empty without any.
std::string reliability_text(const std::string& heading, const Reliability& reliability);

// [{"from":0.005,"to":0.01,"pairs":n,"mean_risk":…,"not_same":share,"low":…,"high":…,"within":true}, …], all
// bins; of one without pairs the rest is null.
Json reliability_json(const Reliability& reliability);

}  // namespace qdedup::review
