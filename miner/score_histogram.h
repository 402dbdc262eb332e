#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "miner/result_list.h"

namespace qdedup::miner {

// Counts scores in buckets, sixteen per power of two, so that scores of any scale can be distinguished (like
// HdrHistogram, hdrhistogram.org). 16 KiB.
class ScoreHistogram {
 public:
  static constexpr int smallest_exponent = -16;  // of two
  static constexpr int greatest_exponent = 16;
  static constexpr std::size_t per_octave = 16;
  // Bucket 0 contains the scores below the smallest power (including 0 and negative ones), the last one those
  // from the greatest power on.
  static constexpr std::size_t buckets =
      static_cast<std::size_t>(greatest_exponent - smallest_exponent) * per_octave + 2;
  // The scores of all pairs are counted in only one of this many lists.
  static constexpr std::int64_t lists_per_sample = 16;

  struct Counts {
    std::uint64_t lists = 0;  // whose first, and best, score is in the bucket
    std::uint64_t pairs = 0;  // of the sampled lists

    friend bool operator==(const Counts&, const Counts&) = default;
  };

  // Counts the list's best score, and all its scores if the best id is divisible by lists_per_sample.
  void add(std::span<const ScoredId> pairs);

  [[nodiscard]] const Counts& operator[](std::size_t bucket) const { return counts_.at(bucket); }
  ScoreHistogram& operator+=(const ScoreHistogram& other);
  friend bool operator==(const ScoreHistogram&, const ScoreHistogram&) = default;

  // The range of the lists' best scores, as bounds of buckets.
  struct Spread {
    double least;
    double median;    // at least half of the lists have this best score or a higher one
    double greatest;  // above all of them, unless some are in the last bucket
  };
  [[nodiscard]] std::optional<Spread> best_scores() const;  // none without lists

  [[nodiscard]] static std::size_t bucket_of(double score);

  // The lower bound of a bucket; 0 for the first.
  [[nodiscard]] static double lower_bound(std::size_t bucket);

 private:
  std::array<Counts, buckets> counts_{};
};

}  // namespace qdedup::miner
