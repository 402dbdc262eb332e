#include <iomanip>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/iteration_summary.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "db/iterations.h"

namespace qdedup::cli {
namespace {

// "min_top_score=0.5 min_score=0.3 …" of the JSON that is stored.
std::string settings_text(const std::string& json) {
  std::string text;
  const auto settings = nlohmann::ordered_json::parse(json, nullptr, false);
  for (const auto& [name, value] : settings.items()) {
    text += (text.empty() ? "" : " ") + name + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

void print_table(std::ostream& out, const std::vector<db::IterationRecord>& iterations) {
  out << "   id  finished                     lines      clusters     deletions  settings\n";
  for (const db::IterationRecord& iteration : iterations) {
    out << std::setw(5) << iteration.id << "  " << iteration.finished_at << std::setw(14)
        << grouped(iteration.counts.lines) << std::setw(14) << grouped(iteration.counts.clusters)
        << std::setw(14) << grouped(iteration.counts.deletions) << (iteration.withheld ? "  held  " : "  ")
        << settings_text(iteration.settings) << '\n';
  }
}

Result<int> list_iterations(const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  const Result<std::vector<db::IterationRecord>> iterations = db::Iterations(state->store).all();
  if (!iterations.ok()) return iterations.error();
  if (!session.json()) {
    print_table(session.out(), *iterations);
    return 0;
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const db::IterationRecord& iteration : *iterations) json.push_back(iteration_json(iteration));
  print_json(session.out(), json);
  return 0;
}

}  // namespace

void add_iterations_command(CLI::App& app, Command& chosen) {
  app.add_subcommand("iterations", "The iterations: when, settings, counts")->callback([&chosen] {
    chosen.run = list_iterations;
  });
}

}  // namespace qdedup::cli
