#include "cli/iteration_summary.h"

#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/number.h"
#include "iteration/iteration.h"

namespace qdedup::cli {

Result<std::optional<db::IterationRecord>> iterate(const Session& session, WritableState& state) {
  session.host().iteration_begins();
  Result<db::Store> reading = session.open_store_for_reading();
  if (!reading.ok()) return std::move(reading).error();
  auto iteration = iteration::run_iteration(*reading, state.store, state.bank, session.settings(),
                                            session.clock(), session.progress());
  if (iteration.ok()) session.host().iteration_succeeds();
  return iteration;
}

void print_iteration(std::ostream& out, const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) {
    out << "iterate   nothing new to decide; no iteration was made\n";
    return;
  }
  const db::IterationCounts& counts = iteration->counts;
  out << "merge     " << counted(counts.distinct_lists, "distinct list") << " with "
      << counted(counts.ids, "question") << ": " << counted(counts.clusters, "cluster") << ", the largest of "
      << grouped(counts.largest_cluster) << "; " << counted(counts.refused_joins, "join") << " refused\n"
      << "refine    " << counted(counts.deletions, "duplicate") << "; " << counted(counts.missing, "question")
      << " not in the bank\n";
  if (counts.missing * 2 > counts.ids) {
    out << "          most questions of the logs are not in the bank: was all of it imported?\n";
  }
  print_outcome(out, *iteration);
}

void print_outcome(std::ostream& out, const db::IterationRecord& iteration) {
  const db::IterationCounts& counts = iteration.counts;
  if (counts.withdrawn + counts.repointed + counts.held > 0) {
    out << "earlier   " << counted(counts.withdrawn, "deletion") << " withdrawn, "
        << grouped(counts.repointed) << " re-pointed, " << counted(counts.held, "keeper") << " held\n";
  }
  if (iteration.withheld) {
    out << "          more than [review] max_deletions_per_iteration: held until `qdedup review release "
        << iteration.id << "`\n";
  }
  out << "iteration " << iteration.id << ": " << counted(counts.deletions, "question") << " to delete"
      << (counts.deletions > 0 ? "; see them with: qdedup export\n" : "\n");
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
          {"withdrawn", counts.withdrawn},
          {"withheld", iteration->withheld},
          {"released_at", iteration->released_at},
          {"released_by", iteration->released_by}};
}

}  // namespace qdedup::cli
