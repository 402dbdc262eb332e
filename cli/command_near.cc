#include <algorithm>
#include <ostream>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "cli/commands.h"
#include "cli/near_measure.h"
#include "cli/output_file.h"
#include "db/bank_reading.h"
#include "db/fingerprints.h"
#include "db/snapshot.h"
#include "finder/equal_finder.h"
#include "iteration/draft.h"
#include "markup/compared.h"
#include "review/export.h"

namespace qdedup::cli {
namespace {

struct NearOptions {
  std::string measure = "jaccard";
  std::uint32_t min_similarity = finder::SetSettings().min_similarity;
  unsigned distance = finder::SimhashSettings().distance;
  FeatureOptions features;
  bool classes = false;
  std::string format;  // empty: determined by the output's name
  std::string output;
};

bool is_hamming(const NearOptions& options) { return options.measure == "hamming"; }

Result<std::unique_ptr<finder::NearFinder>> finder_of(const NearOptions& options, const logs::Files& files) {
  QDEDUP_ASSIGN_OR_RETURN(refine::FeatureSettings features, feature_settings(options.features, files));
  std::unique_ptr<finder::NearFinder> finder;
  if (options.measure == "equal") {
    finder = std::make_unique<finder::EqualFinder>();
  } else if (is_hamming(options)) {
    finder = std::make_unique<finder::SimhashFinder>(
        finder::SimhashSettings{.distance = options.distance, .features = std::move(features)});
  } else {
    finder = std::make_unique<finder::SetFinder>(finder::SetSettings{
        .measure = options.measure == "cosine" ? refine::SetMeasure::cosine : refine::SetMeasure::jaccard,
        .min_similarity = options.min_similarity,
        .features = std::move(features)});
  }
  return finder;
}

// Members by class, the classes by their representatives.
std::vector<review::NearClassRow> class_rows(const iteration::NearPairs& near) {
  std::vector<std::uint64_t> sizes(near.ids.size());
  for (const std::uint32_t first : near.firsts) ++sizes[first];
  std::vector<review::NearClassRow> rows;
  for (std::uint32_t i = 0; i < near.ids.size(); ++i) {
    const std::uint32_t first = near.firsts[i];
    if (sizes[first] > 1) rows.push_back({near.ids[first], sizes[first], near.ids[i]});
  }
  std::ranges::stable_sort(rows, {}, &review::NearClassRow::representative);
  return rows;
}

// With --json, standard output has JSON lines unless --format says otherwise.
std::string format_of(const NearOptions& options, const CommandContext& context) {
  const bool is_standard_output = options.output.empty() || options.output == "-";
  const bool is_json = context.json() && is_standard_output && options.format.empty();
  return is_json ? "jsonl" : list_format(options.format, options.output);
}

Result<int> run_near(const NearOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_TRY(iteration::expect_bank_here(state.store, state.bank));
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot snapshot, db::Snapshot::take(state.bank));
  QDEDUP_ASSIGN_OR_RETURN(auto finder, finder_of(options, context.files()));
  const std::string measure = finder->name();
  QDEDUP_ASSIGN_OR_RETURN(
      const iteration::NearPairs near,
      iteration::near_pairs(state.bank, std::move(finder), compared_text(options.features),
                            context.settings().resources.threads, max_near_pairs, context.progress()));
  const auto format = review::export_format_named(format_of(options, context));
  const std::vector<review::NearClassRow> classes = class_rows(near);
  QDEDUP_TRY(write_output(options.output, context.folder(), context.out(), [&](std::ostream& out) {
    return options.classes ? review::export_near_classes(classes, format, out)
                           : write_pairs(near, is_hamming(options), state.bank, format, out);
  }));
  if (!context.quiet()) {
    context.err() << measure << ": " << counted(near.ids.size(), "question") << ", "
                  << counted(near.pairs.size(), "pair") << ", " << grouped(classes.size())
                  << " questions with others near them\n";
  }
  return 0;
}

struct SimhashOptions {
  std::string file;
  import::FileShape shape;
  FeatureOptions features;
  bool strict = false;
};

void print_hash(const CommandContext& context, const finder::SimhashFinder& finder, QuestionId id,
                std::u32string_view text) {
  const finder::Signature signature = finder.signature(text);
  const std::string hash = signature.empty() ? "" : hexadecimal(finder::SimhashFinder::hash_of(signature));
  if (context.json()) {
    context.out() << json_text(Json{{"id", id}, {"simhash", hash}}) << '\n';
  } else {
    context.out() << id << '\t' << hash << '\n';
  }
}

// As the bank reads texts; if it is empty, as the settings say.
Result<int> hash_file(const SimhashOptions& options, const CommandContext& context, db::Bank& bank,
                      const finder::SimhashFinder& finder, const iteration::ComparedText& compared) {
  QDEDUP_ASSIGN_OR_RETURN(markup::Options reading, db::expect_current_options(bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  if (questions == 0) reading = context.settings().text;
  const auto print = [&](const import::Question& question) -> Status {
    const std::string text = markup::compared(question.text, question.answer, reading, question.images).text;
    print_hash(context, finder, question.id, compared(text));
    return {};
  };
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t rejected,
                          for_each_question(options.file, options.shape, context, print));
  return batch_exit_code(rejected > 0, options.strict);
}

Result<int> run_simhash(const SimhashOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot snapshot, db::Snapshot::take(state.bank));
  QDEDUP_ASSIGN_OR_RETURN(refine::FeatureSettings features,
                          feature_settings(options.features, context.files()));
  finder::SimhashFinder finder({.features = std::move(features)});
  const iteration::ComparedText compared = compared_text(options.features);
  QDEDUP_TRY(learn_bank(state.bank, finder, compared, context.progress()));
  if (!options.file.empty()) return hash_file(options, context, state.bank, finder, compared);
  QDEDUP_TRY(db::scan_questions(state.bank, [&](const db::ScannedQuestion& question) -> Status {
    print_hash(context, finder, question.id, compared(question.text));
    return {};
  }));
  return 0;
}

}  // namespace

void add_near_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<NearOptions>();
  CLI::App* command = app.add_subcommand(
      "near",
      "A report of the bank's questions that are near each other by one measure alone; nothing is listed for "
      "deletion");
  CLI::Option* measure = command->add_option(
      "--measure", options->measure,
      "jaccard (default) or cosine of the sets of features; hamming: bits that differ between simhashes; or "
      "equal: the same text");
  measure->check(CLI::IsMember({"jaccard", "cosine", "hamming", "equal"}));
  CLI::Option* similarity =
      command->add_option("--min-similarity", options->min_similarity,
                          "jaccard and cosine: percent of a pair that is near (default: 80)");
  similarity->check(whole_number(1, 100));
  CLI::Option* distance = command->add_option(
      "--distance", options->distance, "hamming: bits in which a pair that is near may differ (default: 3)");
  distance->check(whole_number(0, 15));
  const std::vector<CLI::Option*> of_features = add_feature_options(*command, options->features);
  command->add_flag(
      "--classes", options->classes,
      "Instead of pairs, classes of questions connected by near pairs, each with its smallest id");
  command
      ->add_option("--format", options->format,
                   "csv, tsv or jsonl (default: by the name of the output, or csv; with --json jsonl)")
      ->check(CLI::IsMember({"csv", "tsv", "jsonl"}));
  command->add_option("-o,--output", options->output, "Where to (default: standard output)")
      ->type_name("FILE")
      ->check(not_empty());
  command->callback([options, similarity, distance, of_features, &chosen] {
    const bool is_equal = options->measure == "equal";
    std::vector<CLI::Option*> of_others = {is_hamming(*options) ? similarity : distance};
    if (is_equal) of_others.push_back(similarity);
    for (CLI::Option* of_feature : of_features) {
      if (is_equal && of_feature->get_name() != "--compare" && of_feature->get_name() != "--sentences")
        of_others.push_back(of_feature);
    }
    for (const CLI::Option* other : of_others) {
      if (other->count() == 0) continue;
      throw CLI::ValidationError(other->get_name(), "does not apply to the measure " + options->measure);
    }
    const bool is_of_sets = !is_equal && !is_hamming(*options);
    if (is_of_sets && !options->features.weights.empty() && options->features.keywords == 0) {
      throw CLI::ValidationError("--weights",
                                 "only chooses the --keywords of the measure " + options->measure);
    }
    (void)list_format(options->format, options->output);  // refuses unsupported ones
    const FeatureOptions& features = options->features;
    chosen = {.run = with_options(options, run_near), .inputs = {features.stop_words, features.weights}};
  });
}

void add_simhash_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<SimhashOptions>();
  CLI::App* command = app.add_subcommand(
      "simhash",
      "The 64-bit hashes of texts, in hexadecimal, which near texts differ in few bits of; features weigh by "
      "their rarity in the bank");
  command
      ->add_option("FILE", options->file,
                   "Questions, as import takes them; - reads standard input (default: those of the bank)")
      ->check(not_empty());
  add_question_file_options(*command, options->shape);
  add_feature_options(*command, options->features);
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was rejected");
  command->callback([options, &chosen] {
    chosen = {.run = with_options(options, run_simhash),
              .inputs = {options->file, options->features.stop_words, options->features.weights},
              .goes_by_rules = !options->file.empty()};
  });
}

}  // namespace qdedup::cli
