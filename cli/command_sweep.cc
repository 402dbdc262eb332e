#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/summaries.h"
#include "finder/minhash_finder.h"
#include "finder/simhash_finder.h"
#include "finder/substring_finder.h"
#include "iteration/sweep.h"

namespace qdedup::cli {
namespace {

constexpr const char* exact_finder = "exact";

void print_sweep(std::ostream& out, const std::string& finder,
                 const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) {
    out << "sweep     nothing new to decide; no iteration was made\n";
    return;
  }
  const db::IterationCounts& counts = iteration->counts;
  out << "sweep     " << counted(counts.ids, "question") << ": " << counted(counts.clusters, "group")
      << (finder == exact_finder ? " with the same signs" : " of questions found near each other")
      << ", the largest of " << grouped(counts.largest_cluster) << "; "
      << counted(counts.deletions, "duplicate") << '\n';
  print_outcome(out, *iteration);
}

struct SweepOptions {
  std::string finder = exact_finder;
  std::size_t gram = 0;  // 0: the finder's default
  unsigned distance = finder::SimhashSettings().distance;
  std::size_t bands = finder::MinhashSettings().bands;
  std::size_t rows = finder::MinhashSettings().rows;
  unsigned levels = finder::SimhashSettings().levels;
  int stop_share = 0;  // percent; 0: the finder's default
  int shared = 0;      // the same
  std::size_t window = finder::SubstringSettings().window;
  std::uint32_t common = finder::SubstringSettings().common;
};

// An option that only some finders take.
struct FinderOption {
  const CLI::Option* option;
  std::vector<std::string> finders;
};

void expect_options_of(const std::string& finder, const std::vector<FinderOption>& finder_options) {
  for (const FinderOption& of_some : finder_options) {
    if (of_some.option->count() == 0 || std::ranges::count(of_some.finders, finder) > 0) continue;
    throw CLI::ValidationError(of_some.option->get_name(), "says nothing to the finder " + finder);
  }
}

void expect_characters(const std::string& finder, const CLI::Option& gram, std::size_t characters) {
  constexpr std::size_t min_gram = finder::SubstringSettings().gram;
  if (finder != "substring" || gram.count() == 0 || characters >= min_gram) return;
  throw CLI::ValidationError(gram.get_name(), "the finder substring takes " + std::to_string(min_gram) +
                                                  " characters per feature or more");
}

// Null for the exact finder.
std::unique_ptr<finder::NearFinder> finder_of(const SweepOptions& options) {
  if (options.finder == "simhash") {
    finder::SimhashSettings settings{.distance = options.distance, .levels = options.levels};
    if (options.stop_share > 0) settings.stop_share = options.stop_share / 100.0;
    if (options.gram > 0) settings.features.gram = options.gram;
    return std::make_unique<finder::SimhashFinder>(settings);
  }
  if (options.finder == "minhash") {
    finder::MinhashSettings settings{.bands = options.bands, .rows = options.rows};
    if (options.gram > 0) settings.gram = options.gram;
    if (options.shared > 0) settings.similarity = options.shared / 100.0;
    return std::make_unique<finder::MinhashFinder>(settings);
  }
  if (options.finder == "substring") {
    finder::SubstringSettings settings{.window = options.window, .common = options.common};
    if (options.gram > 0) settings.gram = options.gram;
    if (options.shared > 0) settings.shared = options.shared / 100.0;
    return std::make_unique<finder::SubstringFinder>(settings);
  }
  return nullptr;
}

// The exact finder compares every candidate it proposes, so there is no separate count of candidates.
Result<iteration::NearSweepReport> sweep(const SweepOptions& options, const CommandContext& context,
                                         db::WritableState& state, db::Store& reading) {
  const iteration::IterationContext with{reading,         state.store,       state.bank, context.settings(),
                                         context.clock(), context.progress()};
  std::unique_ptr<finder::NearFinder> finder = finder_of(options);
  if (finder) return iteration::run_near_sweep(with, std::move(finder));
  QDEDUP_ASSIGN_OR_RETURN(auto iteration, iteration::run_sweep(with));
  return iteration::NearSweepReport{.iteration = std::move(iteration)};
}

void print_candidates(std::ostream& out, const iteration::NearSweepReport& report) {
  const std::uint64_t tenths = 10 * report.candidates / std::max<std::uint64_t>(report.questions, 1);
  out << "looked at " << grouped(report.candidates) << " candidates, " << grouped(tenths / 10) << '.'
      << tenths % 10 << " for each question\n";
}

Json sweep_json(const SweepOptions& options, const iteration::NearSweepReport& report) {
  auto json = iteration_json(report.iteration);
  if (options.finder != exact_finder && json.is_object()) json["candidates"] = report.candidates;
  return json;
}

Result<int> run_sweep(const SweepOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const iteration::NearSweepReport report, sweep(options, context, *state, reading));
  if (context.json()) {
    print_json(context.out(), sweep_json(options, report));
  } else {
    print_sweep(context.out(), options.finder, report.iteration);
    if (options.finder != exact_finder) print_candidates(context.out(), report);
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
  CLI::Option* gram = command->add_option("--gram", options->gram,
                                          "Characters per feature (default: 2; substring: 4, and no fewer)");
  gram->check(whole_number(1, 64));
  CLI::Option* distance = command->add_option("--distance", options->distance,
                                              "simhash: bits in which near questions differ (default: 3)");
  distance->check(whole_number(0, 15));
  CLI::Option* bands = command->add_option("--bands", options->bands, "minhash: bands (default: 20)");
  bands->check(whole_number(1, 1000));
  CLI::Option* rows =
      command->add_option("--rows", options->rows, "minhash: permutations of a band (default: 4)");
  rows->check(whole_number(1, 100));
  CLI::Option* shared = command->add_option(
      "--shared", options->shared,
      "minhash, substring: percent of the features that near questions share (default: 60, 30)");
  shared->check(whole_number(1, 100));
  CLI::Option* levels = command->add_option(
      "--levels", options->levels,
      "simhash: blocks of bits that a table goes by (default: 1; more for great distances)");
  levels->check(whole_number(1, 3));
  CLI::Option* stop_share = command->add_option(
      "--stop-share", options->stop_share,
      "simhash: features in more than this percent of the questions, and in more than a thousand, count for "
      "nothing (default: 5; 100: all count)");
  stop_share->check(whole_number(1, 100));
  CLI::Option* window = command->add_option(
      "--window", options->window,
      "substring: of so many consecutive features one is looked at (default: 1, all of them)");
  window->check(whole_number(1, 100));
  CLI::Option* common = command->add_option(
      "--common", options->common,
      "substring: features in more questions than that count for nothing (default: all count)");
  common->check(whole_number(1, 1'000'000'000));
  const std::vector<FinderOption> finder_options = {{gram, {"simhash", "minhash", "substring"}},
                                                    {distance, {"simhash"}},
                                                    {bands, {"minhash"}},
                                                    {rows, {"minhash"}},
                                                    {shared, {"minhash", "substring"}},
                                                    {levels, {"simhash"}},
                                                    {stop_share, {"simhash"}},
                                                    {window, {"substring"}},
                                                    {common, {"substring"}}};
  command->callback([options, finder_options, gram, &chosen] {
    expect_options_of(options->finder, finder_options);
    expect_characters(options->finder, *gram, options->gram);
    chosen = {[options](const CommandContext& context) { return run_sweep(*options, context); }, true};
  });
}

}  // namespace qdedup::cli
