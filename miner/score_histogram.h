#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "miner/result_list.h"

namespace qdedup::miner {

// How often which scores were seen, in buckets of which sixteen lie between a power of two and the next, so
// that scores of any scale are told apart (like HdrHistogram, hdrhistogram.org). 16 KiB.
class ScoreHistogram {
 public:
  static constexpr int smallest_exponent = -16;  // of two
  static constexpr int greatest_exponent = 16;
  static constexpr std::size_t per_octave = 16;
  // Bucket 0 has the scores below the smallest power (0 and negative ones too), the last one those from the
  // greatest power on.
  static constexpr std::size_t buckets =
      static_cast<std::size_t>(greatest_exponent - smallest_exponent) * per_octave + 2;
  // The scores of every pair are counted in one of so many lists only.
  static constexpr std::int64_t lists_per_sample = 16;

  struct Counts {
    std::uint64_t lists = 0;  // whose first, the best, score is in the bucket
    std::uint64_t pairs = 0;  // of the sampled lists

    friend bool operator==(const Counts&, const Counts&) = default;
  };

  // Counts the list's best score, and all its scores when the best id is divisible by lists_per_sample.
  void add(std::span<const ScoredId> pairs);

  [[nodiscard]] const Counts& operator[](std::size_t bucket) const { return counts_.at(bucket); }
  ScoreHistogram& operator+=(const ScoreHistogram& other);
  friend bool operator==(const ScoreHistogram&, const ScoreHistogram&) = default;

  // Where the best scores of lists lie; the ends of buckets.
  struct Spread {
    double least;
    double median;    // of half of the lists, at least, the best score is this or more
    double greatest;  // all are less; or the last bucket has some
  };
  [[nodiscard]] std::optional<Spread> best_scores() const;  // nothing without lists

  [[nodiscard]] static std::size_t bucket_of(double score);

  // The least score of a bucket; 0 for the first.
  [[nodiscard]] static double lower_bound(std::size_t bucket);

 private:
  std::array<Counts, buckets> counts_{};
};

}  // namespace qdedup::miner
