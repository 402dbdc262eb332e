#include "iteration/iteration.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "db/iterations.h"
#include "engine/components.h"
#include "iteration/refining.h"
#include "miner/evidence_chunk.h"
#include "refine/character_counts.h"

namespace qdedup::iteration {
namespace {

Result<miner::Clusters> merge_evidence(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed,
                                       const config::Settings& settings, const Progress& progress) {
  const unsigned threads = thread_count(settings.resources.threads);
  const auto share = [threads, &progress](std::size_t count, const auto& work) {
    parallel_for(count, threads, work, [&](std::size_t i) { progress("sort", i, count, "parts"); });
  };
  const miner::MergeBudget budget{.id_occurrences = unconsumed.bytes / miner::usual_bytes_per_id,
                                  .memory_bytes = settings.resources.memory_bytes,
                                  .share = share};
  return miner::merge(evidence_lists(evidence, unconsumed.last_id, threads), settings.merge, budget,
                      progress);
}

void count_evidence(const db::UnconsumedEvidence& unconsumed, const miner::MergeCounts& merge,
                    db::IterationCounts& counts) {
  counts.lines = unconsumed.lines;
  counts.selected = unconsumed.selected;
  counts.unselected = unconsumed.unselected;
  counts.rejected = unconsumed.rejected;
  count_merge(merge, counts);
}

// Merges the evidence and decides the clusters.
Status decide(db::Evidence& evidence, const db::UnconsumedEvidence& unconsumed,
              const IterationContext& context, BegunIteration& begun) {
  const engine::Past& past = begun.past;
  db::IterationDraft& draft = begun.draft;
  const config::Settings& settings = context.settings;
  QDEDUP_ASSIGN_OR_RETURN(const miner::Clusters merged,
                          merge_evidence(evidence, unconsumed, settings, context.progress));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, context.bank.character_counts());
  config::ResourceSettings left = settings.resources;
  left.memory_bytes -= std::min<std::uint64_t>(merged.bytes(), left.memory_bytes / 4 * 3);
  QDEDUP_ASSIGN_OR_RETURN(
      draft.outcome,
      refine_clusters(engine::ClusterList(merged, past.reopened), past, context.bank,
                      {{settings.refine, begun.contrast}, characters}, left, context.progress));
  count_evidence(unconsumed, merged.counts(), draft.record.counts);
  draft.record.cluster_sizes = merged.sizes();
  draft.last_evidence_id = unconsumed.last_id;
  return {};
}

Result<StoredIteration> nothing_to_decide(const db::IterationDraft& draft, const IterationContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(StoredIteration none, commit_stale_pairs(draft, context.writing));
  if (draft.slot) {
    QDEDUP_TRY(context.writing.write([&](db::Store& store) {
      return db::Slots(store).record(*draft.slot, timestamp(context.clock.now()));
    }));
  }
  return none;
}

struct Chunk {
  std::string bytes;
  miner::SeedLists lists;
  Status decoded;

  void decode() {
    lists.clear();
    decoded = miner::decode_evidence(bytes, lists);
  }
};

}  // namespace

Result<StoredIteration> run_iteration(const IterationContext& context,
                                      std::optional<std::chrono::sys_seconds> slot) {
  QDEDUP_ASSIGN_OR_RETURN(BegunIteration begun, begin_iteration("logs", context));
  db::IterationDraft& draft = begun.draft;
  draft.slot = slot;
  db::Evidence evidence(context.reading);
  QDEDUP_ASSIGN_OR_RETURN(const db::UnconsumedEvidence unconsumed, evidence.unconsumed());
  if (unconsumed.selected == 0 && begun.is_settled()) return nothing_to_decide(draft, context);
  QDEDUP_ASSIGN_OR_RETURN(const db::UnconsumedEvidence held, context.writing.write([](db::Store& store) {
    return db::Evidence(store).hold_unconsumed();
  }));
  QDEDUP_TRY(decide(evidence, held, context, begun));
  return commit_draft(std::move(draft), context);
}

miner::ListSource evidence_lists(db::Evidence& evidence, std::int64_t last_id, unsigned threads) {
  return [&evidence, last_id, threads](const auto& take) -> Status {
    Chunk before;
    Chunk next;
    const auto work = [&](std::size_t thread) { thread == 0 ? take(before.lists) : next.decode(); };
    QDEDUP_TRY(evidence.for_each_unconsumed(last_id, [&](std::string_view bytes) -> Status {
      next.bytes = bytes;
      if (threads > 1) {
        on_threads(2, work);
      } else {
        for (const std::size_t part : {0U, 1U}) work(part);
      }
      std::swap(before, next);
      return before.decoded;
    }));
    take(before.lists);
    return {};
  };
}

}  // namespace qdedup::iteration
