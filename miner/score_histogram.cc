#include "miner/score_histogram.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace qdedup::miner {
namespace {

// Sign, exponent and the first four bits of the mantissa: a number that grows with a positive double.
constexpr unsigned dropped_bits = 48;

constexpr std::uint64_t prefix_of(double score) {
  return std::bit_cast<std::uint64_t>(score) >> dropped_bits;
}

constexpr double smallest = 1.0 / (1U << -ScoreHistogram::smallest_exponent);
constexpr double greatest = 1U << ScoreHistogram::greatest_exponent;

}  // namespace

std::size_t ScoreHistogram::bucket_of(double score) {
  if (!(score >= smallest)) return 0;
  if (score >= greatest) return buckets - 1;
  return static_cast<std::size_t>(prefix_of(score) - prefix_of(smallest)) + 1;
}

double ScoreHistogram::lower_bound(std::size_t bucket) {
  if (bucket == 0) return 0;
  return std::bit_cast<double>((prefix_of(smallest) + bucket - 1) << dropped_bits);
}

void ScoreHistogram::add(std::span<const ScoredId> pairs) {
  if (pairs.empty()) return;
  ++counts_[bucket_of(pairs.front().score)].lists;
  if (pairs.front().id % lists_per_sample != 0) return;
  for (const ScoredId& pair : pairs) ++counts_[bucket_of(pair.score)].pairs;
}

std::optional<ScoreHistogram::Spread> ScoreHistogram::best_scores() const {
  const auto has_lists = [](const Counts& counts) { return counts.lists > 0; };
  const auto first = std::ranges::find_if(counts_, has_lists);
  if (first == counts_.end()) return std::nullopt;
  auto last = std::prev(counts_.end());
  while (!has_lists(*last)) --last;

  std::uint64_t lists = 0;
  for (const Counts& counts : counts_) lists += counts.lists;
  auto median = last;
  for (std::uint64_t above = last->lists; 2 * above < lists; above += median->lists) --median;
  const auto bound = [&](auto bucket) {
    return lower_bound(static_cast<std::size_t>(bucket - counts_.begin()));
  };
  return Spread{bound(first), bound(median), bound(std::min(std::next(last), std::prev(counts_.end())))};
}

ScoreHistogram& ScoreHistogram::operator+=(const ScoreHistogram& other) {
  for (std::size_t i = 0; i < buckets; ++i) {
    counts_[i].lists += other.counts_[i].lists;
    counts_[i].pairs += other.counts_[i].pairs;
  }
  return *this;
}

}  // namespace qdedup::miner
