#include "iteration/sweep_pass.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "db/bank_scan.h"
#include "db/text_hash.h"
#include "iteration/parallel.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t passed_per_batch = 16'384;

// A question between the bank and the pass.
struct PassedQuestion {
  QuestionId id;
  std::uint64_t fingerprint;
  std::string text;
  std::uint64_t text_hash = 0;
  refine::Parts parts{};
};

// Tells groups by their signs.
class SignGroups {
 public:
  explicit SignGroups(std::span<const std::uint64_t> fingerprints)
      : fingerprints_(fingerprints), signs_of_group_(fingerprints.size(), none) {}

  // The number of the group; `fingerprint` is one of those.
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
  std::vector<std::uint32_t> signs_of_group_;  // of the first question that came
  finder::HanColumn signs_;
  std::map<std::pair<std::uint32_t, std::u32string>, std::uint32_t>
      others_;  // with the fingerprint of another
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
        signs_(planned.shared) {
    pass_.questions.rows.reserve(planned.questions);
    pass_.questions.hans.reserve(planned.questions);
    group_of_.reserve(planned.questions);
  }

  Status take(const db::ScannedQuestion& question) {
    const std::uint64_t fingerprint =
        fingerprints_.empty() ? question.sign_fingerprint : fingerprints_[scanned_];
    if (++scanned_ % passed_per_batch == 0) moved_(pass_.questions.rows.size());
    const std::size_t bucket = db::SweptQuestions::bucket_of(fingerprint);
    if (bucket < planned_.first_bucket || bucket >= planned_.last_bucket) return {};
    if (!std::ranges::binary_search(planned_.shared, fingerprint)) return {};
    batch_.push_back({question.id, fingerprint, std::string(question.text)});
    if (batch_.size() == passed_per_batch) add_batch();
    return {};
  }

  SweepPass finish() {
    add_batch();
    gather_groups();
    return std::move(pass_);
  }

 private:
  void add_batch() {
    parallel_for(batch_.size(), threads_, [this](std::size_t i) {
      batch_[i].text_hash = db::text_hash(batch_[i].text);
      batch_[i].parts = refine::parts_of(batch_[i].text);
    });
    for (const PassedQuestion& question : batch_) add(question);
    batch_.clear();
  }

  void add(const PassedQuestion& question) {
    pass_.questions.rows.push_back(
        {question.id, question.text_hash,
         static_cast<std::uint32_t>(db::SweptQuestions::bucket_of(question.fingerprint)),
         is_swept(question.id, question.text_hash)});
    pass_.questions.hans.add(question.parts.han);
    group_of_.push_back(signs_.group_of(question.fingerprint, question.parts.signs));
  }

  bool is_swept(QuestionId id, std::uint64_t hash) {
    while (next_swept_ != swept_.end() && next_swept_->id < id) ++next_swept_;
    return next_swept_ != swept_.end() && *next_swept_ == db::SweptQuestion{id, hash};
  }

  void gather_groups() {
    std::vector<std::uint32_t>& begins = pass_.group_begins;
    begins.assign(signs_.size() + 1, 0);
    for (const std::uint32_t group : group_of_) ++begins[group + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    pass_.grouped.resize(group_of_.size());
    for (std::uint32_t number = 0; number < group_of_.size(); ++number) {
      pass_.grouped[next[group_of_[number]]++] = number;
    }
  }

  const PlannedPass& planned_;
  std::span<const std::uint64_t> fingerprints_;  // by the order of the scan
  const std::vector<db::SweptQuestion>& swept_;
  std::vector<db::SweptQuestion>::const_iterator next_swept_;
  unsigned threads_;
  const std::function<void(std::size_t)>& moved_;
  SignGroups signs_;
  SweepPass pass_;
  std::vector<PassedQuestion> batch_;
  std::vector<std::uint32_t> group_of_;  // by number
  std::size_t scanned_ = 0;
};

void append(GroupOutcome& all, GroupOutcome&& more) {
  all.deletions.insert(all.deletions.end(), more.deletions.begin(), more.deletions.end());
  all.repointed.insert(all.repointed.end(), more.repointed.begin(), more.repointed.end());
  all.further.insert(all.further.end(), more.further.begin(), more.further.end());
  all.held += more.held;
}

}  // namespace

Result<SweepPass> load_pass(const PlannedPass& planned, std::span<const std::uint64_t> fingerprints,
                            const std::vector<db::SweptQuestion>& swept, db::Bank& bank, unsigned threads,
                            const std::function<void(std::size_t questions)>& moved) {
  PassLoading loading(planned, fingerprints, swept, thread_count(threads), moved);
  QDEDUP_TRY(
      db::scan_questions(bank, [&](const db::ScannedQuestion& question) { return loading.take(question); }));
  return loading.finish();
}

GroupOutcome decide_pass(SweepPass& pass, const DeletionIndex& open,
                         const std::vector<RejectedPair>& rejected, const refine::DuplicateSettings& settings,
                         const SweepMeans& means, const std::function<void(std::size_t questions)>& moved) {
  const auto nothing = [](std::size_t) {};
  GroupOutcome all;
  std::size_t decided = 0;
  for (std::size_t next = 0; next < pass.groups();) {
    if (pass.group(next).size() >= means.large_group) {
      append(all, decide_group(pass.questions, pass.group(next), open, rejected, settings, means,
                               [&](std::size_t taken) { moved(decided + taken); }));
      decided += pass.group(next++).size();
      continue;
    }
    const std::size_t first = next;
    for (std::size_t questions = 0; next < pass.groups() && questions < means.large_group; ++next) {
      if (pass.group(next).size() >= means.large_group) break;
      questions += pass.group(next).size();
    }
    std::vector<GroupOutcome> outcomes(next - first);
    SweepMeans alone = means;
    alone.threads = 1;
    parallel_for(outcomes.size(), means.threads, [&](std::size_t i) {
      outcomes[i] =
          decide_group(pass.questions, pass.group(first + i), open, rejected, settings, alone, nothing);
    });
    for (GroupOutcome& outcome : outcomes) append(all, std::move(outcome));
    decided = pass.group_begins[next];
    moved(decided);
  }
  return all;
}

}  // namespace qdedup::iteration
