#include "iteration/iteration.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "db/evidence.h"
#include "db/iterations.h"
#include "engine/components.h"
#include "iteration/draft.h"
#include "iteration/evidence_lists.h"
#include "iteration/parallel.h"
#include "iteration/refining.h"
#include "refine/character_counts.h"

namespace qdedup::iteration {
namespace {

Result<miner::Clusters> merge_evidence(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed,
                                       const config::Settings& settings, const Progress& progress) {
  constexpr std::uint64_t usual_bytes_per_id = 5;
  const unsigned threads = thread_count(settings.resources.threads);
  const auto share = [threads, &progress](std::size_t count, const auto& work) {
    parallel_for(count, threads, work, [&](std::size_t i) { progress("sort", i, count, "parts"); });
  };
  const miner::MergeBudget budget{.id_occurrences = unconsumed.bytes / usual_bytes_per_id,
                                  .memory_bytes = settings.resources.memory_bytes,
                                  .share = share};
  return miner::merge(evidence_lists(evidence, unconsumed.last_id, threads), settings.merge, budget,
                      progress);
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

// Merges the evidence and decides the clusters.
Status decide(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed, const engine::Past& past,
              db::Bank& bank, const config::Settings& settings, const Progress& progress,
              db::IterationDraft& draft) {
  QDEDUP_ASSIGN_OR_RETURN(const miner::Clusters merged,
                          merge_evidence(evidence, unconsumed, settings, progress));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, bank.character_counts());
  config::ResourceSettings left = settings.resources;
  left.memory_bytes -= std::min<std::uint64_t>(merged.bytes(), left.memory_bytes / 4 * 3);
  QDEDUP_ASSIGN_OR_RETURN(draft.outcome,
                          refine_clusters(engine::ClusterList(merged, past.reopened), past, bank,
                                          {settings.refine, characters}, left, progress));
  count_evidence(unconsumed, merged.counts(), draft.record.counts);
  draft.record.cluster_sizes = sizes_of(merged);
  draft.last_evidence_id = unconsumed.last_id;
  return {};
}

Result<std::optional<db::IterationRecord>> nothing_to_decide(const db::IterationDraft& draft,
                                                             db::StoreWriter& writing, const Clock& clock) {
  QDEDUP_TRY(commit_stale_pairs(draft, writing));
  if (draft.slot) {
    QDEDUP_TRY(writing.write(
        [&](db::Store& store) { return db::Slots(store).record(*draft.slot, timestamp(clock.now())); }));
  }
  return std::optional<db::IterationRecord>();
}

}  // namespace

Result<std::optional<db::IterationRecord>> run_iteration(db::Store& reading, db::StoreWriter& writing,
                                                         db::Bank& bank, const config::Settings& settings,
                                                         const Clock& clock, const Progress& progress,
                                                         std::optional<std::chrono::sys_seconds> slot) {
  QDEDUP_ASSIGN_OR_RETURN(BegunIteration begun,
                          begin_iteration("logs", reading, bank, settings, clock, progress));
  db::IterationDraft& draft = begun.draft;
  draft.slot = slot;
  db::Evidence evidence(reading);
  QDEDUP_ASSIGN_OR_RETURN(const db::UnconsumedEvidence unconsumed, evidence.unconsumed());
  if (unconsumed.selected == 0 && draft.withdrawn.empty() && begun.past.reopened.empty()) {
    return nothing_to_decide(draft, writing, clock);
  }
  QDEDUP_TRY(decide(evidence, unconsumed, begun.past, bank, settings, progress, draft));
  return commit_draft(std::move(draft), writing, bank, settings, clock);
}

}  // namespace qdedup::iteration
