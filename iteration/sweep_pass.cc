#include "iteration/sweep_pass.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "db/bank_reading.h"
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

constexpr std::size_t passed_per_batch = 16'384;

// A question on its way from the bank into the pass.
struct PassedQuestion {
  QuestionId id;
  std::uint64_t fingerprint;
  std::string text;
  std::uint64_t text_hash = 0;
  refine::Parts parts{};
};

class PassLoading {
 public:
  PassLoading(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
              const std::vector<db::SweptQuestion>& swept, const refine::DuplicateSettings& settings,
              unsigned threads, const std::function<void(std::size_t)>& moved)
      : planned_(planned),
        fingerprints_(fingerprints),
        swept_(swept),
        next_swept_(swept.begin()),
        settings_(settings),
        threads_(threads),
        moved_(moved),
        grouping_(planned.shared, planned.questions) {}

  Status take(const db::ScannedQuestion& question) {
    const std::uint64_t fingerprint = fingerprints_.empty()
                                          ? refine::compared_fingerprint(question.sign_fingerprint, settings_)
                                          : fingerprints_[scanned_];
    if (++scanned_ % passed_per_batch == 0) moved_(grouping_.size());
    const std::size_t bucket = SweptQuestions::bucket_of(fingerprint);
    if (bucket < planned_.first_bucket || bucket >= planned_.last_bucket) return {};
    if (!std::ranges::binary_search(planned_.shared, fingerprint)) return {};
    batch_.push_back({question.id, fingerprint, std::string(question.text)});
    if (batch_.size() == passed_per_batch) add_batch();
    return {};
  }

  engine::SignGroups finish() {
    add_batch();
    return std::move(grouping_).finish();
  }

 private:
  void add_batch() {
    parallel_for(batch_.size(), threads_, [this](std::size_t i) {
      batch_[i].text_hash = refine::text_hash(batch_[i].text);
      batch_[i].parts = refine::compared_parts(batch_[i].text, settings_);
    });
    for (const PassedQuestion& question : batch_) add(question);
    batch_.clear();
  }

  void add(const PassedQuestion& question) {
    const auto bucket = static_cast<std::uint32_t>(SweptQuestions::bucket_of(question.fingerprint));
    grouping_.add({question.id, question.text_hash, bucket, is_swept(question.id, question.text_hash)},
                  question.fingerprint, question.parts);
  }

  bool is_swept(QuestionId id, std::uint64_t hash) {
    while (next_swept_ != swept_.end() && next_swept_->id < id) ++next_swept_;
    return next_swept_ != swept_.end() && *next_swept_ == db::SweptQuestion{id, hash};
  }

  const PlannedPass& planned_;
  std::span<const std::uint64_t> fingerprints_;  // in the order of the scan
  const std::vector<db::SweptQuestion>& swept_;
  std::vector<db::SweptQuestion>::const_iterator next_swept_;
  const refine::DuplicateSettings& settings_;
  unsigned threads_;
  const std::function<void(std::size_t)>& moved_;
  engine::SignGrouping grouping_;
  std::vector<PassedQuestion> batch_;
  std::size_t scanned_ = 0;
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
  PassLoading loading(planned, fingerprints, swept, settings, thread_count(threads), moved);
  QDEDUP_TRY(
      db::scan_questions(bank, [&](const db::ScannedQuestion& question) { return loading.take(question); }));
  return loading.finish();
}

}  // namespace qdedup::iteration
