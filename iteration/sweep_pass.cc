#include "iteration/sweep_pass.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "db/bank_reading.h"
#include "iteration/parallel.h"
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

// Numbers the groups of questions with equal signs.
class GroupNumbers {
 public:
  explicit GroupNumbers(std::span<const std::uint64_t> fingerprints)
      : fingerprints_(fingerprints), signs_of_group_(fingerprints.size(), none) {}

  // The number of the group; `fingerprint` must be one of those given to the constructor.
  std::uint32_t group_of(std::uint64_t fingerprint, const std::u32string& signs) {
    const auto group = static_cast<std::uint32_t>(std::ranges::lower_bound(fingerprints_, fingerprint) -
                                                  fingerprints_.begin());
    std::uint32_t& first_signs = signs_of_group_[group];
    if (first_signs == none) {
      first_signs = signs_.add(signs);
      return group;
    }
    std::u32string place;
    if (signs_.read(first_signs, place) == signs) return group;
    const auto next = static_cast<std::uint32_t>(fingerprints_.size() + others_.size());
    return others_.try_emplace({group, signs}, next).first->second;
  }

  [[nodiscard]] std::size_t size() const { return fingerprints_.size() + others_.size(); }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::span<const std::uint64_t> fingerprints_;
  std::vector<std::uint32_t> signs_of_group_;  // of its first question
  finder::CompactTextStore signs_;
  // Of other signs with the same fingerprint.
  std::map<std::pair<std::uint32_t, std::u32string>, std::uint32_t> others_;
};

class PassLoading {
 public:
  PassLoading(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
              const std::vector<db::SweptQuestion>& swept, unsigned threads,
              const std::function<void(std::size_t)>& moved)
      : planned_(planned),
        fingerprints_(fingerprints),
        swept_(swept),
        next_swept_(swept.begin()),
        threads_(threads),
        moved_(moved),
        numbers_(planned.shared) {
    groups_.rows.reserve(planned.questions);
    groups_.hans.reserve(planned.questions);
    group_of_.reserve(planned.questions);
  }

  Status take(const db::ScannedQuestion& question) {
    const std::uint64_t fingerprint =
        fingerprints_.empty() ? question.sign_fingerprint : fingerprints_[scanned_];
    if (++scanned_ % passed_per_batch == 0) moved_(groups_.rows.size());
    const std::size_t bucket = SweptQuestions::bucket_of(fingerprint);
    if (bucket < planned_.first_bucket || bucket >= planned_.last_bucket) return {};
    if (!std::ranges::binary_search(planned_.shared, fingerprint)) return {};
    batch_.push_back({question.id, fingerprint, std::string(question.text)});
    if (batch_.size() == passed_per_batch) add_batch();
    return {};
  }

  engine::SignGroups finish() {
    add_batch();
    gather_groups();
    return std::move(groups_);
  }

 private:
  void add_batch() {
    parallel_for(batch_.size(), threads_, [this](std::size_t i) {
      batch_[i].text_hash = refine::text_hash(batch_[i].text);
      batch_[i].parts = refine::parts_of(batch_[i].text);
    });
    for (const PassedQuestion& question : batch_) add(question);
    batch_.clear();
  }

  void add(const PassedQuestion& question) {
    groups_.rows.push_back({question.id, question.text_hash,
                            static_cast<std::uint32_t>(SweptQuestions::bucket_of(question.fingerprint)),
                            is_swept(question.id, question.text_hash)});
    groups_.hans.add(question.parts.han);
    group_of_.push_back(numbers_.group_of(question.fingerprint, question.parts.signs));
  }

  bool is_swept(QuestionId id, std::uint64_t hash) {
    while (next_swept_ != swept_.end() && next_swept_->id < id) ++next_swept_;
    return next_swept_ != swept_.end() && *next_swept_ == db::SweptQuestion{id, hash};
  }

  void gather_groups() {
    std::vector<std::uint32_t>& begins = groups_.group_begins;
    begins.assign(numbers_.size() + 1, 0);
    for (const std::uint32_t group : group_of_) ++begins[group + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    groups_.grouped.resize(group_of_.size());
    for (std::uint32_t number = 0; number < group_of_.size(); ++number) {
      groups_.grouped[next[group_of_[number]]++] = number;
    }
  }

  const PlannedPass& planned_;
  std::span<const std::uint64_t> fingerprints_;  // in the order of the scan
  const std::vector<db::SweptQuestion>& swept_;
  std::vector<db::SweptQuestion>::const_iterator next_swept_;
  unsigned threads_;
  const std::function<void(std::size_t)>& moved_;
  GroupNumbers numbers_;
  engine::SignGroups groups_;
  std::vector<PassedQuestion> batch_;
  std::vector<std::uint32_t> group_of_;  // by number
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

Result<SweepPlan> plan_sweep(db::Bank& bank, std::size_t questions_per_pass) {
  std::vector<std::uint64_t> fingerprints;
  QDEDUP_TRY(
      db::scan_fingerprints(bank, [&](std::uint64_t fingerprint) { fingerprints.push_back(fingerprint); }));
  return plan_sweep(std::move(fingerprints), questions_per_pass);
}

Result<engine::SignGroups> load_pass(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
                                     const std::vector<db::SweptQuestion>& swept, db::Bank& bank,
                                     unsigned threads,
                                     const std::function<void(std::size_t questions)>& moved) {
  PassLoading loading(planned, fingerprints, swept, thread_count(threads), moved);
  QDEDUP_TRY(
      db::scan_questions(bank, [&](const db::ScannedQuestion& question) { return loading.take(question); }));
  return loading.finish();
}

}  // namespace qdedup::iteration
