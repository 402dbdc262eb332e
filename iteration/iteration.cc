#include "iteration/iteration.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "db/deletions.h"
#include "db/evidence.h"
#include "import/fingerprints.h"
#include "iteration/reconsidering.h"
#include "iteration/refining.h"
#include "miner/evidence_chunk.h"
#include "miner/seed_lists.h"

namespace qdedup::iteration {
namespace {

std::string settings_json(const config::Settings& settings) {
  const bool lcs = settings.refine.similarity == refine::Similarity::lcs;
  return nlohmann::ordered_json{{"min_top_score", settings.selection.min_top_score},
                                {"min_score", settings.selection.min_score},
                                {"max_cluster_size", settings.merge.max_cluster_size},
                                {"min_similarity", settings.refine.min_similarity},
                                {"similarity", lcs ? "lcs" : "levenshtein"}}
      .dump();
}

Result<miner::Clusters> merge_evidence(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed,
                                       const miner::MergeSettings& settings, const Progress& progress) {
  miner::SeedLists lists;
  QDEDUP_TRY(evidence.for_each_unconsumed(unconsumed.last_id, [&](std::string_view chunk) {
    Status decoded = miner::decode_evidence(chunk, lists);
    progress("read", lists.size(), unconsumed.selected, "lists");
    return decoded;
  }));
  return miner::merge(lists, settings);
}

// The clusters of the merge, and behind them those that past deletions want decided anew.
std::vector<std::span<const QuestionId>> all_clusters(const miner::Clusters& merged,
                                                      const Reconsidered& past) {
  std::vector<std::span<const QuestionId>> clusters;
  clusters.reserve(merged.size() + past.to_decide.size());
  for (std::size_t i = 0; i < merged.size(); ++i) clusters.push_back(merged.ids(i));
  for (const std::vector<QuestionId>& cluster : past.to_decide) clusters.emplace_back(cluster);
  return clusters;
}

// Size -> clusters of that size; those of one are questions whose every join was refused.
std::map<std::uint64_t, std::uint64_t> sizes_of(const miner::Clusters& merged) {
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (std::size_t i = 0; i < merged.size(); ++i) ++sizes[merged.ids(i).size()];
  if (merged.counts().clusters > merged.size()) sizes[1] = merged.counts().clusters - merged.size();
  return sizes;
}

void count_evidence(const db::UnconsumedEvidence& unconsumed, const miner::MergeCounts& merge,
                    db::IterationCounts& counts) {
  counts.lines = unconsumed.lines;
  counts.selected = unconsumed.selected;
  counts.unselected = unconsumed.unselected;
  counts.rejected = unconsumed.rejected;
  counts.distinct_lists = merge.distinct_lists;
  counts.ids = merge.ids;
  counts.joins = merge.joins;
  counts.refused_joins = merge.refused_joins;
  counts.clusters = merge.clusters;
  counts.largest_cluster = merge.largest_cluster;
}

}  // namespace

Result<std::optional<db::IterationRecord>> run_iteration(db::Store& store, db::Bank& bank,
                                                         const config::Settings& settings, const Clock& clock,
                                                         const Progress& progress) {
  db::IterationDraft draft;
  draft.record.kind = "logs";
  draft.record.started_at = timestamp(clock.now());
  draft.record.version = program_version();
  draft.record.settings = settings_json(settings);

  QDEDUP_TRY(import::bring_fingerprints_up_to_date(bank, progress));
  db::Evidence evidence(store);
  const Result<db::UnconsumedEvidence> unconsumed = evidence.unconsumed();
  if (!unconsumed.ok()) return unconsumed.error();
  db::Deletions deletions(store);
  Result<Reconsidered> past = reconsider(deletions, bank);
  if (!past.ok()) return std::move(past).error();
  if (unconsumed->selected == 0 && past->withdrawn.empty()) return std::optional<db::IterationRecord>();

  const Result<miner::Clusters> merged = merge_evidence(evidence, *unconsumed, settings.merge, progress);
  if (!merged.ok()) return merged.error();
  const std::vector<std::span<const QuestionId>> clusters = all_clusters(*merged, *past);
  Result<Refined> refined =
      refine_clusters(clusters, *past, bank, settings.refine, settings.resources.threads, progress);
  if (!refined.ok()) return std::move(refined).error();

  count_evidence(*unconsumed, merged->counts(), draft.record.counts);
  draft.record.cluster_sizes = sizes_of(*merged);
  draft.record.counts.missing = refined->missing;
  draft.record.counts.held = refined->held;
  draft.record.counts.deletions = refined->deletions.size();
  draft.record.counts.repointed = refined->repointed.size();
  draft.record.counts.withdrawn = past->withdrawn.size();
  draft.last_evidence_id = unconsumed->last_id;
  draft.withdrawn = std::move(past->withdrawn);
  draft.deletions = std::move(refined->deletions);
  draft.repointed = std::move(refined->repointed);
  draft.record.finished_at = timestamp(clock.now());

  db::Iterations iterations(store);
  const Result<std::int64_t> id = iterations.commit(draft, settings.state.kept_iterations);
  if (!id.ok()) return id.error();
  draft.record.id = *id;
  return std::optional(std::move(draft.record));
}

}  // namespace qdedup::iteration
