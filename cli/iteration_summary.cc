#include "cli/iteration_summary.h"

#include <iostream>

#include <nlohmann/json.hpp>

#include "cli/number.h"
#include "iteration/iteration.h"

namespace qdedup::cli {

Result<std::optional<db::IterationRecord>> iterate(const Session& session, WritableState& state) {
  ProgressDisplay display(session.quiet());
  return iteration::run_iteration(state.store, state.bank, session.settings(), session.clock(),
                                  display.callback());
}

void print_iteration(const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) {
    std::cout << "iterate   nothing new to decide; no iteration was made\n";
    return;
  }
  const db::IterationCounts& counts = iteration->counts;
  std::cout << "merge     " << grouped(counts.distinct_lists) << " distinct lists with "
            << grouped(counts.ids) << " questions: " << grouped(counts.clusters)
            << " clusters, the largest of " << grouped(counts.largest_cluster) << "; "
            << grouped(counts.refused_joins) << " joins refused\n"
            << "refine    " << grouped(counts.deletions) << " duplicates; " << grouped(counts.missing)
            << " questions not in the bank\n";
  if (counts.withdrawn + counts.repointed + counts.held > 0) {
    std::cout << "earlier   " << grouped(counts.withdrawn) << " deletions withdrawn, "
              << grouped(counts.repointed) << " re-pointed, " << grouped(counts.held) << " keepers held\n";
  }
  std::cout << "iteration " << iteration->id << ": " << grouped(counts.deletions)
            << " questions to delete; see them with: qdedup export\n";
}

nlohmann::ordered_json iteration_json(const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) return nullptr;
  const db::IterationCounts& counts = iteration->counts;
  return {{"id", iteration->id},
          {"kind", iteration->kind},
          {"started_at", iteration->started_at},
          {"finished_at", iteration->finished_at},
          {"version", iteration->version},
          {"settings", nlohmann::ordered_json::parse(iteration->settings, nullptr, false)},
          {"lines", counts.lines},
          {"selected", counts.selected},
          {"unselected", counts.unselected},
          {"rejected", counts.rejected},
          {"distinct_lists", counts.distinct_lists},
          {"ids", counts.ids},
          {"joins", counts.joins},
          {"refused_joins", counts.refused_joins},
          {"clusters", counts.clusters},
          {"largest_cluster", counts.largest_cluster},
          {"missing", counts.missing},
          {"deletions", counts.deletions},
          {"repointed", counts.repointed},
          {"held", counts.held},
          {"withdrawn", counts.withdrawn}};
}

}  // namespace qdedup::cli
