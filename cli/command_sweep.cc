#include <algorithm>
#include <memory>
#include <ostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/iteration_summary.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "cli/whole_number.h"
#include "finder/minhash_scheme.h"
#include "finder/simhash_scheme.h"
#include "finder/substring_scheme.h"
#include "iteration/near_sweep.h"
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

struct SweepOptions {
  std::string finder = "exact";
  std::size_t gram = 0;  // 0: the finder's own
  unsigned distance = finder::SimhashSettings().distance;
  std::size_t bands = finder::MinhashSettings().bands;
  std::size_t rows = finder::MinhashSettings().rows;
  int shared = 0;  // percent; 0: the finder's own
};

// Null for the exact one.
std::unique_ptr<finder::TextScheme> scheme_of(const SweepOptions& options) {
  if (options.finder == "simhash") {
    finder::SimhashSettings settings{.distance = options.distance};
    if (options.gram > 0) settings.gram = options.gram;
    return std::make_unique<finder::SimhashScheme>(settings);
  }
  if (options.finder == "minhash") {
    finder::MinhashSettings settings{.bands = options.bands, .rows = options.rows};
    if (options.gram > 0) settings.gram = options.gram;
    if (options.shared > 0) settings.similarity = options.shared / 100.0;
    return std::make_unique<finder::MinhashScheme>(settings);
  }
  if (options.finder == "substring") {
    finder::SubstringSettings settings;
    if (options.gram > 0) settings.gram = std::max(settings.gram, options.gram);
    if (options.shared > 0) settings.shared = options.shared / 100.0;
    return std::make_unique<finder::SubstringScheme>(settings);
  }
  return nullptr;
}

Result<std::optional<db::IterationRecord>> sweep(const SweepOptions& options, const Session& session,
                                                 WritableState& state, db::Store& reading) {
  std::unique_ptr<finder::TextScheme> scheme = scheme_of(options);
  if (!scheme) {
    return iteration::run_sweep(reading, state.store, state.bank, session.settings(), session.clock(),
                                session.progress());
  }
  return iteration::run_near_sweep(reading, state.store, state.bank, session.settings(), session.clock(),
                                   session.progress(), std::move(scheme));
}

Result<int> run_sweep(const SweepOptions& options, const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  Result<db::Store> reading = db::Store::open(session.folder(), db::Access::read_only);
  if (!reading.ok()) return std::move(reading).error();
  const auto iteration = sweep(options, session, **state, *reading);
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
  auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Run one iteration over the whole bank instead of logs: all duplicates there are");
  command
      ->add_option(
          "--finder", options->finder,
          "exact, which misses nothing (default), or simhash, minhash, substring: only questions that they "
          "find near each other are compared")
      ->check(CLI::IsMember({"exact", "simhash", "minhash", "substring"}));
  command
      ->add_option("--gram", options->gram,
                   "Characters of a feature (default: 2; substring: 4, and no fewer)")
      ->check(whole_number(1, 64));
  command
      ->add_option("--distance", options->distance,
                   "simhash: bits in which near questions differ (default: 3)")
      ->check(whole_number(0, 15));
  command->add_option("--bands", options->bands, "minhash: bands (default: 20)")
      ->check(whole_number(1, 1000));
  command->add_option("--rows", options->rows, "minhash: permutations of a band (default: 4)")
      ->check(whole_number(1, 100));
  command
      ->add_option("--shared", options->shared,
                   "minhash, substring: percent of the features that near questions share (default: 60, 30)")
      ->check(whole_number(1, 100));
  command->callback([options, &chosen] {
    chosen = {[options](const Session& session) { return run_sweep(*options, session); }, true, {}, {}};
  });
}

}  // namespace qdedup::cli
