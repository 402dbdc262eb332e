#include "iteration/iteration.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "db/deletions.h"
#include "db/evidence.h"
#include "db/slots.h"
#include "import/fingerprints.h"
#include "import/question_characters.h"
#include "iteration/draft.h"
#include "iteration/evidence_lists.h"
#include "iteration/lost_pairs.h"
#include "iteration/parallel.h"
#include "iteration/reconsidering.h"
#include "iteration/refining.h"

namespace qdedup::iteration {
namespace {

Result<miner::Clusters> merge_evidence(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed,
                                       const config::Settings& settings, const Progress& progress) {
  constexpr std::uint64_t usual_bytes_per_id = 5;
  const unsigned threads = thread_count(settings.resources.threads);
  const auto share = [threads, &progress](std::size_t count, const auto& work) {
    parallel_for(count, threads, work, [&](std::size_t i) { progress("sort", i, count, "parts"); });
  };
  const miner::MergeMeans means{.id_occurrences = unconsumed.bytes / usual_bytes_per_id,
                                .memory_bytes = settings.resources.memory_bytes,
                                .share = share};
  return miner::merge(evidence_lists(evidence, unconsumed.last_id, threads), settings.merge, means, progress);
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

// Merges the evidence, refines the clusters, and puts what comes of it into `draft`.
Status decide(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed, Reconsidered past,
              db::Bank& bank, const config::Settings& settings, const Progress& progress,
              db::IterationDraft& draft) {
  const Result<miner::Clusters> merged = merge_evidence(evidence, unconsumed, settings, progress);
  if (!merged.ok()) return merged.error();
  const Result<db::CharacterSums> sums = bank.character_sums();
  if (!sums.ok()) return sums.error();
  const std::uint64_t memory = settings.resources.memory_bytes;
  const RefiningMeans means{.threads = settings.resources.threads,
                            .memory_bytes = std::max(memory / 4, memory - std::min(memory, merged->bytes()))};
  Result<Refined> refined =
      refine_clusters(ClusterList(*merged, past.to_decide), past, bank, import::character_counts(*sums),
                      settings.refine, means, progress);
  if (!refined.ok()) return std::move(refined).error();

  db::IterationCounts& counts = draft.record.counts;
  count_evidence(unconsumed, merged->counts(), counts);
  counts.missing = refined->missing;
  counts.held = refined->held;
  counts.deletions = refined->deletions.size();
  counts.repointed = refined->repointed.size();
  counts.withdrawn = past.withdrawn.size();
  draft.record.cluster_sizes = sizes_of(*merged);
  draft.last_evidence_id = unconsumed.last_id;
  draft.last_reopened_id = past.last_reopened_id;
  draft.withdrawn = std::move(past.withdrawn);
  draft.deletions = std::move(refined->deletions);
  draft.repointed = std::move(refined->repointed);
  draft.further = std::move(refined->further);
  return {};
}

Result<std::optional<db::IterationRecord>> nothing_to_decide(const db::IterationDraft& draft,
                                                             db::StoreWriter& writing, const Clock& clock) {
  QDEDUP_TRY(commit_lost_pairs(draft, writing));
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
  db::IterationDraft draft = begin_draft("logs", settings, clock);
  draft.slot = slot;
  QDEDUP_TRY(check_complete(bank));
  QDEDUP_TRY(import::bring_fingerprints_up_to_date(bank, progress));
  db::Evidence evidence(reading);
  const Result<db::UnconsumedEvidence> unconsumed = evidence.unconsumed();
  if (!unconsumed.ok()) return unconsumed.error();
  db::Deletions deletions(reading);
  Result<Reconsidered> past = reconsider(deletions, bank);
  if (!past.ok()) return std::move(past).error();
  QDEDUP_TRY(find_lost_pairs(reading, bank, past->open, draft.lost));
  if (unconsumed->selected == 0 && past->withdrawn.empty() && past->to_decide.empty()) {
    return nothing_to_decide(draft, writing, clock);
  }

  QDEDUP_TRY(decide(evidence, *unconsumed, *std::move(past), bank, settings, progress, draft));
  return commit_draft(std::move(draft), writing, bank, settings, clock);
}

}  // namespace qdedup::iteration
