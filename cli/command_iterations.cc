#include <iomanip>
#include <ostream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/summaries.h"
#include "db/iterations.h"

namespace qdedup::cli {
namespace {

void print_table(std::ostream& out, const std::vector<db::IterationRecord>& iterations) {
  out << "   id  finished                     lines      clusters refused joins     deletions  settings\n";
  for (const db::IterationRecord& iteration : iterations) {
    out << std::setw(5) << iteration.id << "  " << escaped(iteration.finished_at) << std::setw(14)
        << grouped(iteration.counts.lines) << std::setw(14) << grouped(iteration.counts.clusters)
        << std::setw(14) << grouped(iteration.counts.refused_joins) << std::setw(14)
        << grouped(iteration.counts.deletions) << (iteration.withheld ? "  held  " : "  ");
    const char* separator = "";
    for (const auto& [name, value] : settings_of(iteration)) {
      out << separator << escaped(name) << '=' << escaped(value);
      separator = " ";
    }
    out << '\n';
  }
}

Result<int> list_iterations(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::IterationRecord> iterations,
                          db::Iterations(state.store).all());
  if (!context.json()) {
    print_table(context.words(), iterations);
    return 0;
  }
  Json json = Json::array();
  for (const db::IterationRecord& iteration : iterations) json.push_back(iteration_json(iteration));
  print_json(context.out(), json);
  return 0;
}

}  // namespace

void add_iterations_command(CLI::App& app, Command& chosen) {
  app.add_subcommand("iterations", "The iterations: when, settings, counts")->callback([&chosen] {
    chosen.run = list_iterations;
  });
}

}  // namespace qdedup::cli
