#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/iteration_summary.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "iteration/sweep.h"

namespace qdedup::cli {
namespace {

void print_sweep(std::ostream& out, const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) {
    out << "sweep     nothing new to decide; no iteration was made\n";
    return;
  }
  const db::IterationCounts& counts = iteration->counts;
  out << "sweep     " << counted(counts.ids, "question") << ": " << counted(counts.clusters, "group")
      << " with the same signs, the largest of " << grouped(counts.largest_cluster) << "; "
      << counted(counts.deletions, "duplicate") << '\n';
  print_outcome(out, *iteration);
}

Result<int> run_sweep(const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  Result<db::Store> reading = db::Store::open(session.folder(), db::Access::read_only);
  if (!reading.ok()) return std::move(reading).error();
  const auto iteration = iteration::run_sweep(*reading, (*state)->store, (*state)->bank, session.settings(),
                                              session.clock(), session.progress());
  if (!iteration.ok()) return iteration.error();
  if (session.json()) {
    print_json(session.out(), iteration_json(*iteration));
  } else {
    print_sweep(session.out(), *iteration);
  }
  return 0;
}

}  // namespace

void add_sweep_command(CLI::App& app, Command& chosen) {
  app.add_subcommand("sweep",
                     "Run one iteration over the whole bank instead of logs: all duplicates there are")
      ->callback([&chosen] {
        chosen = {run_sweep, true, {}};
      });
}

}  // namespace qdedup::cli
