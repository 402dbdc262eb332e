#include "iteration/sweep_plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "db/bank_scan.h"
#include "db/swept_questions.h"

namespace qdedup::iteration {
namespace {

using db::SweptQuestions;
using BucketSizes = std::array<std::uint64_t, SweptQuestions::buckets>;

// Leaves of the sorted `fingerprints` each that is there more than once, once, and counts their questions.
BucketSizes keep_shared(std::vector<std::uint64_t>& fingerprints, SweepPlan& plan) {
  BucketSizes sizes{};
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < fingerprints.size();) {
    const std::uint64_t fingerprint = fingerprints[begin];
    std::size_t end = begin + 1;
    while (end < fingerprints.size() && fingerprints[end] == fingerprint) ++end;
    if (end - begin > 1) {
      fingerprints[kept++] = fingerprint;
      sizes[SweptQuestions::bucket_of(fingerprint)] += end - begin;
      plan.comparable += end - begin;
      ++plan.group_sizes[end - begin];
    }
    begin = end;
  }
  fingerprints.resize(kept);
  fingerprints.shrink_to_fit();
  return sizes;
}

std::span<const std::uint64_t> in_buckets(const std::vector<std::uint64_t>& shared, std::size_t first,
                                          std::size_t last) {
  const auto begins = [&](std::size_t bucket) {
    return std::ranges::partition_point(
        shared, [=](std::uint64_t fingerprint) { return SweptQuestions::bucket_of(fingerprint) < bucket; });
  };
  return {begins(first), begins(last)};
}

}  // namespace

SweepPlan plan_sweep(std::vector<std::uint64_t> fingerprints, std::size_t questions_per_pass) {
  SweepPlan plan;
  plan.shared = std::move(fingerprints);
  plan.questions = plan.shared.size();
  std::ranges::sort(plan.shared);
  const BucketSizes sizes = keep_shared(plan.shared, plan);
  for (std::size_t first = 0; first < sizes.size();) {
    std::uint64_t questions = sizes[first];
    std::size_t last = first + 1;
    while (last < sizes.size() && questions + sizes[last] <= questions_per_pass) questions += sizes[last++];
    if (questions > 0) plan.passes.push_back({first, last, in_buckets(plan.shared, first, last), questions});
    first = last;
  }
  return plan;
}

Result<SweepPlan> plan_sweep(db::Bank& bank, std::size_t questions_per_pass) {
  std::vector<std::uint64_t> fingerprints;
  QDEDUP_TRY(
      db::scan_fingerprints(bank, [&](std::uint64_t fingerprint) { fingerprints.push_back(fingerprint); }));
  return plan_sweep(std::move(fingerprints), questions_per_pass);
}

}  // namespace qdedup::iteration
