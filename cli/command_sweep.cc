#include <algorithm>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/summaries.h"
#include "db/deletions.h"
#include "finder/minhash_finder.h"
#include "finder/simhash_finder.h"
#include "finder/substring_finder.h"
#include "iteration/near_groups.h"
#include "iteration/sweep.h"

namespace qdedup::cli {
namespace {

constexpr const char* exact_finder = "exact";
constexpr const char* automatic = "auto";

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
  std::string gram;           // a number or "auto"; empty: the finder's default
  unsigned pairs_found = 95;  // percent
  unsigned distance = finder::SimhashSettings().distance;
  std::size_t bands = finder::MinhashSettings().bands;
  std::size_t rows = finder::MinhashSettings().rows;
  int stop_share = 0;  // percent; 0: the finder's default
  int shared = 0;      // the same
  std::size_t window = finder::SubstringSettings().window;
  std::uint32_t common = finder::SubstringSettings().common;
};

finder::SubstringSettings substring_settings(const SweepOptions& options) {
  finder::SubstringSettings settings{.window = options.window, .common = options.common};
  if (options.shared > 0) settings.shared = options.shared / 100.0;
  return settings;
}

// An option that only some finders take.
struct FinderOption {
  const CLI::Option* option;
  std::vector<std::string> finders;
};

void expect_options_of(const std::string& finder, const std::vector<FinderOption>& finder_options) {
  for (const FinderOption& of_some : finder_options) {
    if (of_some.option->count() == 0 || std::ranges::count(of_some.finders, finder) > 0) continue;
    throw CLI::ValidationError(of_some.option->get_name(), "does not apply to the finder " + finder);
  }
}

void expect_gram(const SweepOptions& options, const CLI::Option& gram, const CLI::Option& pairs_found) {
  constexpr std::size_t min_gram = finder::SubstringSettings::min_gram;
  const bool is_substring = options.finder == "substring";
  if (options.gram == automatic && !is_substring) {
    throw CLI::ValidationError(gram.get_name(), "only the finder substring chooses it itself");
  }
  if (options.gram == automatic && options.common > 0) {
    throw CLI::ValidationError("--common",
                               "does not go with --gram auto, which looks at the known pairs alone");
  }
  if (options.gram != automatic && pairs_found.count() > 0) {
    throw CLI::ValidationError(pairs_found.get_name(), "needs --gram auto");
  }
  if (is_substring && !options.gram.empty() && options.gram != automatic &&
      std::stoul(options.gram) < min_gram) {
    throw CLI::ValidationError(gram.get_name(), "the finder substring takes " + std::to_string(min_gram) +
                                                    " characters per feature or more");
  }
}

// The open deletions whose texts are in the bank: all, or some that are evenly spread.
Result<std::vector<finder::TextPair>> known_pairs(db::Store& store, db::Bank& bank,
                                                  const iteration::ComparedText& compared) {
  constexpr std::uint64_t most = 10'000;
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t all, db::Deletions(store).count_open());
  const std::uint64_t step = std::max<std::uint64_t>((all + most - 1) / most, 1);
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, db::Deletions(store).open());
  std::vector<finder::TextPair> pairs;
  for (std::uint64_t row = 0;; ++row) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> deletion, rows.next());
    if (!deletion) return pairs;
    if (row % step != 0) continue;
    QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair pair,
                            bank.find_pair(deletion->question, deletion->keeper));
    if (!pair.question || !pair.keeper) continue;
    pairs.emplace_back(compared(pair.question->text), compared(pair.keeper->text));
  }
}

struct ChosenGram {
  finder::GramChoice choice;
  std::size_t pairs = 0;
};

Result<ChosenGram> choose_gram(const SweepOptions& options, db::Store& store, db::Bank& bank,
                               const iteration::ComparedText& compared) {
  constexpr std::size_t fewest = 20;
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<finder::TextPair> pairs, known_pairs(store, bank, compared));
  if (pairs.size() < fewest) {
    return Error{ErrorCode::no_input,
                 "--gram auto: only " + counted(pairs.size(), "known pair") +
                     " to choose by, and 20 are needed; run an iteration first, or give a number"};
  }
  const auto choice = finder::longest_gram(pairs, substring_settings(options), options.pairs_found);
  if (choice) return ChosenGram{*choice, pairs.size()};
  return Error{ErrorCode::config,
               "--gram auto: not even 4 characters find " + std::to_string(options.pairs_found) + " % of " +
                   counted(pairs.size(), "known pair") + "; a smaller --shared or --pairs-found does"};
}

// Null for the exact finder.
std::unique_ptr<finder::NearFinder> finder_of(const SweepOptions& options, std::size_t gram) {
  if (options.finder == "simhash") {
    finder::SimhashSettings settings{.distance = options.distance};
    if (options.stop_share > 0) settings.stop_share = options.stop_share / 100.0;
    if (gram > 0) settings.features.gram = gram;
    return std::make_unique<finder::SimhashFinder>(settings);
  }
  if (options.finder == "minhash") {
    finder::MinhashSettings settings{.bands = options.bands, .rows = options.rows};
    if (gram > 0) settings.gram = gram;
    if (options.shared > 0) settings.similarity = options.shared / 100.0;
    return std::make_unique<finder::MinhashFinder>(settings);
  }
  if (options.finder == "substring") {
    finder::SubstringSettings settings = substring_settings(options);
    if (gram > 0) settings.gram = gram;
    return std::make_unique<finder::SubstringFinder>(settings);
  }
  return nullptr;
}

struct SweepReport {
  iteration::NearSweepReport done;
  std::optional<ChosenGram> gram;  // with --gram auto
};

// The exact finder compares every candidate it proposes, so there is no separate count of candidates.
Result<SweepReport> sweep(const SweepOptions& options, const CommandContext& context,
                          db::WritableState& state, db::Store& reading) {
  const iteration::IterationContext with = iteration_context(context, reading, state);
  if (options.finder == exact_finder) {
    QDEDUP_ASSIGN_OR_RETURN(auto iteration, iteration::run_sweep(with));
    return SweepReport{{.iteration = std::move(iteration)}, std::nullopt};
  }
  std::optional<ChosenGram> chosen;
  std::size_t gram = 0;
  if (options.gram == automatic) {
    QDEDUP_ASSIGN_OR_RETURN(chosen, choose_gram(options, reading, state.bank,
                                                iteration::finders_text(context.settings().refine)));
    gram = chosen->choice.gram;
  } else if (!options.gram.empty()) {
    gram = std::stoul(options.gram);
  }
  QDEDUP_ASSIGN_OR_RETURN(auto report, iteration::run_near_sweep(with, finder_of(options, gram)));
  return SweepReport{std::move(report), chosen};
}

void print_gram(std::ostream& out, const SweepOptions& options, const ChosenGram& chosen) {
  const auto percent = [&](std::size_t found) {
    const std::size_t tenths = 1000 * found / chosen.pairs;
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " %";
  };
  const auto& [gram, found, found_longer] = chosen.choice;
  out << "gram      " << gram << ", the longest that finds " << options.pairs_found << " % of "
      << counted(chosen.pairs, "known pair") << ": it finds " << percent(found);
  if (gram < finder::SubstringSettings::max_gram)
    out << ", and " << gram + 1 << " find " << percent(found_longer);
  out << '\n';
}

void print_candidates(std::ostream& out, const iteration::NearSweepReport& report) {
  const std::uint64_t tenths = 10 * report.candidates / std::max<std::uint64_t>(report.questions, 1);
  out << "looked at " << grouped(report.candidates) << " candidates, " << grouped(tenths / 10) << '.'
      << tenths % 10 << " for each question\n";
}

Json sweep_json(const SweepOptions& options, const SweepReport& report) {
  auto json = iteration_json(report.done.iteration);
  if (!json.is_object()) return json;
  if (options.finder != exact_finder) json["candidates"] = report.done.candidates;
  if (const auto& chosen = report.gram) {
    json["gram"] = {{"chosen", chosen->choice.gram},
                    {"pairs", chosen->pairs},
                    {"found", chosen->choice.found},
                    {"found_longer", chosen->choice.found_longer}};
  }
  return json;
}

Result<int> run_sweep(const SweepOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const SweepReport report, sweep(options, context, *state, reading));
  note_iteration(context, report.done.iteration);
  if (context.json()) {
    print_json(context.out(), sweep_json(options, report));
  } else {
    if (report.gram) print_gram(context.words(), options, *report.gram);
    print_sweep(context.words(), options.finder, report.done.iteration);
    if (options.finder != exact_finder) print_candidates(context.words(), report.done);
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
  CLI::Option* gram =
      command->add_option("--gram", options->gram,
                          "Characters per feature (default: 2; substring: 4, and no fewer), or, "
                          "for substring, auto: the most that find the known duplicates");
  gram->check(whole_number_or(automatic, 1, finder::SubstringSettings::max_gram));
  CLI::Option* pairs_found = command->add_option(
      "--pairs-found", options->pairs_found,
      "substring with --gram auto: percent of the known duplicates that are to be found (default: 95)");
  pairs_found->check(whole_number(1, 100));
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
  CLI::Option* stop_share = command->add_option("--stop-share", options->stop_share,
                                                "simhash: features in more than this percent of the "
                                                "questions, and in more than a thousand, are ignored "
                                                "(default: 5; 100: none)");
  stop_share->check(whole_number(1, 100));
  CLI::Option* window =
      command->add_option("--window", options->window,
                          "substring: sample one of every N consecutive features (default: 1, all of them)");
  window->check(whole_number(1, 100));
  CLI::Option* common =
      command->add_option("--common", options->common,
                          "substring: features in more questions than that are ignored (default: none)");
  common->check(whole_number(1, 1'000'000'000));
  const std::vector<FinderOption> finder_options = {{gram, {"simhash", "minhash", "substring"}},
                                                    {distance, {"simhash"}},
                                                    {bands, {"minhash"}},
                                                    {rows, {"minhash"}},
                                                    {shared, {"minhash", "substring"}},
                                                    {stop_share, {"simhash"}},
                                                    {window, {"substring"}},
                                                    {common, {"substring"}},
                                                    {pairs_found, {"substring"}}};
  command->callback([options, finder_options, gram, pairs_found, &chosen] {
    expect_options_of(options->finder, finder_options);
    expect_gram(*options, *gram, *pairs_found);
    chosen = {with_options(options, run_sweep), true};
  });
}

}  // namespace qdedup::cli
