#include "iteration/sweep_pass.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "db/bank_reading.h"
#include "iteration/question_batches.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

using db::SweptQuestions;
using BucketSizes = std::array<std::uint64_t, SweptQuestions::buckets>;

// Reduces the sorted `fingerprints` to one of each that occurs more than once, and counts their questions.
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

// A question on its way from the bank into the pass.
struct PassedQuestion {
  QuestionId id;
  std::uint64_t fingerprint;
  std::string text;
  std::uint64_t text_hash = 0;
  refine::Parts parts{};
};

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

Result<SweepPlan> plan_sweep(db::Bank& bank, const refine::DuplicateSettings& settings,
                             std::size_t questions_per_pass) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  std::vector<std::uint64_t> fingerprints;
  fingerprints.reserve(questions);  // growing step by step, it would take up to three times that
  QDEDUP_TRY(db::scan_fingerprints(bank, [&](std::uint64_t fingerprint) {
    fingerprints.push_back(refine::compared_fingerprint(fingerprint, settings));
  }));
  return plan_sweep(std::move(fingerprints), questions_per_pass);
}

Result<engine::SignGroups> load_pass(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
                                     const std::vector<db::SweptQuestion>& swept, db::Bank& bank,
                                     const refine::DuplicateSettings& settings, unsigned threads,
                                     const std::function<void(std::size_t questions)>& moved) {
  engine::SignGrouping grouping(planned.shared, planned.questions);
  auto next_swept = swept.begin();
  std::size_t scanned = 0;
  const auto choose = [&](const db::ScannedQuestion& question) -> std::optional<PassedQuestion> {
    const std::uint64_t fingerprint = fingerprints.empty()
                                          ? refine::compared_fingerprint(question.sign_fingerprint, settings)
                                          : fingerprints[scanned];
    if (++scanned % questions_per_batch == 0) moved(grouping.size());
    const std::size_t bucket = SweptQuestions::bucket_of(fingerprint);
    if (bucket < planned.first_bucket || bucket >= planned.last_bucket) return std::nullopt;
    if (!std::ranges::binary_search(planned.shared, fingerprint)) return std::nullopt;
    return PassedQuestion{question.id, fingerprint, std::string(question.text)};
  };
  const auto prepare = [&](PassedQuestion& question) {
    question.text_hash = refine::text_hash(question.text);
    question.parts = refine::compared_parts(question.text, settings);
  };
  const auto add = [&](const PassedQuestion& question) {
    const auto bucket = static_cast<std::uint32_t>(SweptQuestions::bucket_of(question.fingerprint));
    while (next_swept != swept.end() && next_swept->id < question.id) ++next_swept;
    const bool is_swept =
        next_swept != swept.end() && *next_swept == db::SweptQuestion{question.id, question.text_hash};
    grouping.add({question.id, question.text_hash, bucket, is_swept}, question.fingerprint, question.parts);
  };
  QDEDUP_TRY(read_in_batches<PassedQuestion>(bank, thread_count(threads), choose, prepare, add));
  return std::move(grouping).finish();
}

}  // namespace qdedup::iteration
