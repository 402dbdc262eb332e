#include <ostream>
#include <sstream>

#include "cli/commands.h"
#include "db/learned_weights.h"
#include "import/line_reader.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/duplicate_test.h"
#include "refine/pair_features.h"
#include "refine/parts.h"
#include "review/evaluation.h"
#include "review/labelled_pairs.h"

namespace qdedup::cli {
namespace {

Result<std::vector<review::LabelledPair>> read_pairs(const std::string& path, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(import::LineReader lines, import::open_lines(path, context.files()));
  return review::read_labelled_pairs(std::move(lines));
}

Status evaluate_pair(const review::LabelledPair& pair, db::Bank& bank,
                     const refine::CharacterCounts& characters, const config::Settings& settings,
                     review::Evaluation& evaluation) {
  QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair found, bank.find_pair(pair.large_id, pair.small_id));
  const auto& [question, keeper] = found;
  if (!keeper || !question || keeper->text.empty() || question->text.empty()) {
    evaluation.add_missing();
    return {};
  }
  const std::uint64_t distance =
      refine::compare_in_full(refine::compared_parts(keeper->text, settings.refine),
                              refine::compared_parts(question->text, settings.refine), settings.refine)
          .distance;
  evaluation.add(pair, distance,
                 refine::contrast({question->text, question->answer}, {keeper->text, keeper->answer},
                                  characters, settings.contrast));
  return {};
}

// A subject has a line to itself.
void print_text(std::ostream& out, const review::Evaluation& evaluation) {
  std::istringstream text(review::evaluation_text(evaluation));
  for (std::string line; std::getline(text, line);) {
    if (evaluation.pairs().subjects.contains(line)) {
      out << Verbatim{line} << '\n';
    } else {
      out << line << '\n';
    }
  }
}

Result<int> evaluate(const std::string& path, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<review::LabelledPair> pairs, read_pairs(path, context));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, state.bank.character_counts());
  config::Settings settings = context.settings();
  QDEDUP_ASSIGN_OR_RETURN(settings.contrast, db::with_weights(settings.contrast, state.store));
  review::Evaluation evaluation;
  for (const review::LabelledPair& pair : pairs) {
    QDEDUP_TRY(evaluate_pair(pair, state.bank, characters, settings, evaluation));
  }
  if (context.json()) {
    context.out() << review::evaluation_json(evaluation);
  } else {
    print_text(context.words(), evaluation);
  }
  return 0;
}

void print_heading(std::ostream& out) {
  out << "small_id\tlarge_id\tlabel\tsubject\tgroup\tkind\tgrave";
  for (const std::string& name : refine::feature_names()) out << '\t' << name;
  out << '\n';
}

void print_pair(std::ostream& out, const review::LabelledPair& pair, std::string_view keeper,
                std::string_view question, const refine::CharacterCounts& characters) {
  const refine::PairFeatures features =
      refine::pair_features(refine::TextForms(question), refine::TextForms(keeper), characters);
  out << pair.small_id << '\t' << pair.large_id << '\t' << label_name(pair.label) << '\t' << pair.subject
      << '\t' << refine::sign_fingerprint(refine::parts_of(keeper)) << '\t'
      << (features.calculates ? "calculation" : "other") << '\t' << (features.is_grave ? 1 : 0);
  for (const std::int32_t value : features.values) out << '\t' << value;
  out << '\n';
}

Result<int> print_features(const std::string& path, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<review::LabelledPair> pairs, read_pairs(path, context));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, state.bank.character_counts());
  print_heading(context.out());
  for (const review::LabelledPair& pair : pairs) {
    QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair found, state.bank.find_pair(pair.large_id, pair.small_id));
    const auto& [question, keeper] = found;
    if (!keeper || !question) {
      return Error{ErrorCode::data, path + ": the bank has no question " +
                                        std::to_string(keeper ? pair.large_id : pair.small_id)};
    }
    print_pair(context.out(), pair, keeper->text, question->text, characters);
  }
  return 0;
}

}  // namespace

void add_evaluate_command(CLI::App& app, Command& chosen) {
  auto path = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("evaluate", "How well safe and doubtful, and the risk, agree with labelled pairs");
  command
      ->add_option("PAIRS", *path,
                   "TSV with a header: small_id, large_id, label; perhaps labelled_by, subject")
      ->required();
  command->callback([path, &chosen] {
    chosen = {.run = with_options(path, evaluate), .inputs = {*path}, .goes_by_rules = true};
  });
}

void add_features_command(CLI::App& app, Command& chosen) {
  auto path = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("features", "What the risk of labelled pairs is estimated from, a line each (TSV)");
  command->add_option("PAIRS", *path, "TSV with a header: small_id, large_id, label; perhaps subject")
      ->required();
  command->callback(
      [path, &chosen] { chosen = {.run = with_options(path, print_features), .inputs = {*path}}; });
}

}  // namespace qdedup::cli
