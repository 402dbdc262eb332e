#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/iteration_summary.h"
#include "cli/json_output.h"

namespace qdedup::cli {
namespace {

Result<int> run_iterate(const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  const auto iteration = iterate(session, **state);
  if (!iteration.ok()) return iteration.error();
  if (session.json()) {
    print_json(session.out(), iteration_json(*iteration));
  } else {
    print_iteration(session.out(), *iteration);
  }
  return 0;
}

}  // namespace

void add_iterate_command(CLI::App& app, Command& chosen) {
  app.add_subcommand("iterate", "Run one iteration over the evidence not yet consumed")->callback([&chosen] {
    chosen = {run_iterate, true, {}};
  });
}

}  // namespace qdedup::cli
