#include "iteration/near_sweep.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/bank_scan.h"
#include "db/deletions.h"
#include "finder/han_column.h"
#include "finder/text_index.h"
#include "import/fingerprints.h"
#include "import/question_characters.h"
#include "iteration/draft.h"
#include "iteration/lost_pairs.h"
#include "iteration/reconsidering.h"
#include "iteration/refining.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

constexpr std::uint64_t questions_per_report = 1000;

// The Han part; the signs where there is none. Signs such as the letters of options would make all questions
// near.
const std::u32string& compared_text(const refine::Parts& parts) {
  return parts.han.empty() ? parts.signs : parts.han;
}

// Questions, each with those of smaller ids that are near it and similar enough.
class NearQuestions {
 public:
  NearQuestions(std::unique_ptr<finder::TextScheme> scheme, const refine::DuplicateSettings& settings)
      : settings_(settings), index_(std::move(scheme)) {}

  Status learn(db::Bank& bank, const Progress& progress) {
    return db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
      index_.learn(compared_text(refine::parts_of(question.text)));
      if (++learnt_ % questions_per_report == 0) progress("learn", learnt_, 0, "questions");
      return {};
    });
  }

  Status find(db::Bank& bank, const Progress& progress) {
    return db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
      take(question);
      if (known_.size() % questions_per_report == 0) progress("sweep", known_.size(), learnt_, "questions");
      return {};
    });
  }

  [[nodiscard]] std::uint64_t questions() const { return known_.size(); }
  [[nodiscard]] const std::vector<std::vector<QuestionId>>& clusters() const { return clusters_; }

 private:
  struct Known {
    QuestionId id;
    std::uint64_t sign_fingerprint;
  };

  void take(const db::ScannedQuestion& question) {
    const refine::Parts parts = refine::parts_of(question.text);
    std::vector<QuestionId> cluster = index_.query(compared_text(parts));
    std::erase_if(cluster, [&](QuestionId id) {
      const auto near = std::ranges::lower_bound(known_, id, {}, &Known::id);
      return near->sign_fingerprint != question.sign_fingerprint ||
             !is_similar(static_cast<std::uint32_t>(near - known_.begin()), parts.han);
    });
    known_.push_back({question.id, question.sign_fingerprint});
    hans_.add(parts.han);
    index_.add(question.id, 0, compared_text(parts));
    if (cluster.empty()) return;
    cluster.push_back(question.id);
    clusters_.push_back(std::move(cluster));
  }

  bool is_similar(std::uint32_t number, std::u32string_view han) {
    std::u32string place;
    const refine::Parts near = {.signs = {}, .han = std::u32string(hans_.read(number, place))};
    return refine::compare(near, {.signs = {}, .han = std::u32string(han)}, settings_).duplicate;
  }

  refine::DuplicateSettings settings_;
  finder::TextIndex index_;
  std::vector<Known> known_;  // by id
  finder::HanColumn hans_;    // numbered as they are
  std::vector<std::vector<QuestionId>> clusters_;
  std::uint64_t learnt_ = 0;
};

Status refine_near(const NearQuestions& near, const Reconsidered& past, db::Bank& bank,
                   const config::Settings& settings, const Progress& progress, db::IterationDraft& draft) {
  const Result<db::CharacterSums> sums = bank.character_sums();
  if (!sums.ok()) return sums.error();
  std::vector<std::vector<QuestionId>> clusters = near.clusters();
  clusters.insert(clusters.end(), past.to_decide.begin(), past.to_decide.end());
  const miner::Clusters none_of_logs;
  const RefiningMeans means{.threads = settings.resources.threads,
                            .memory_bytes = settings.resources.memory_bytes};
  Result<Refined> refined =
      refine_clusters(ClusterList(none_of_logs, clusters), past, bank, import::character_counts(*sums),
                      settings.refine, means, progress);
  if (!refined.ok()) return std::move(refined).error();
  db::IterationCounts& counts = draft.record.counts;
  counts.ids = near.questions();
  counts.clusters = clusters.size();
  for (const auto& cluster : clusters) {
    counts.largest_cluster = std::max<std::uint64_t>(counts.largest_cluster, cluster.size());
    ++draft.record.cluster_sizes[cluster.size()];
  }
  counts.held = refined->held;
  counts.deletions = refined->deletions.size();
  counts.repointed = refined->repointed.size();
  draft.deletions = std::move(refined->deletions);
  draft.repointed = std::move(refined->repointed);
  draft.further = std::move(refined->further);
  return {};
}

std::string with_finder(const std::string& settings, const std::string& finder) {
  auto json = nlohmann::ordered_json::parse(settings);
  json["finder"] = finder;
  return json.dump();
}

}  // namespace

Result<std::optional<db::IterationRecord>> run_near_sweep(db::Store& reading, db::StoreWriter& writing,
                                                          db::Bank& bank, const config::Settings& settings,
                                                          const Clock& clock, const Progress& progress,
                                                          std::unique_ptr<finder::TextScheme> scheme) {
  db::IterationDraft draft = begin_draft("sweep", settings, clock);
  draft.record.settings = with_finder(draft.record.settings, scheme->name());
  QDEDUP_TRY(check_complete(bank));
  QDEDUP_TRY(import::bring_fingerprints_up_to_date(bank, progress));
  db::Deletions deletions(reading);
  Result<Reconsidered> past = reconsider(deletions, bank);
  if (!past.ok()) return std::move(past).error();
  QDEDUP_TRY(find_lost_pairs(reading, bank, past->open, draft.lost));

  NearQuestions near(std::move(scheme), settings.refine);
  QDEDUP_TRY(near.learn(bank, progress));
  QDEDUP_TRY(near.find(bank, progress));
  QDEDUP_TRY(refine_near(near, *past, bank, settings, progress, draft));
  draft.record.counts.withdrawn = past->withdrawn.size();
  draft.last_reopened_id = past->last_reopened_id;
  draft.withdrawn = std::move(past->withdrawn);
  return commit_sweep(std::move(draft), writing, bank, settings, clock);
}

}  // namespace qdedup::iteration
