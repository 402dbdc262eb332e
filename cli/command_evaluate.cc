#include <memory>
#include <ostream>

#include "cli/commands.h"
#include "config/text_file.h"
#include "import/question_characters.h"
#include "refine/contrast.h"
#include "review/evaluation.h"
#include "review/evaluation_report.h"
#include "review/labelled_pairs.h"

namespace qdedup::cli {
namespace {

Result<std::vector<review::LabelledPair>> read_pairs(const std::string& path) {
  const Result<std::string> text = config::read_text_file(path);
  if (!text.ok()) return text.error();
  return review::read_labelled_pairs(path, *text);
}

Status evaluate_pair(const review::LabelledPair& pair, db::Bank& bank,
                     const refine::CharacterCounts& characters, review::Evaluation& evaluation) {
  const Result<std::optional<db::BankQuestion>> keeper = bank.find(pair.small_id);
  if (!keeper.ok()) return keeper.error();
  const Result<std::optional<db::BankQuestion>> question = bank.find(pair.large_id);
  if (!question.ok()) return question.error();
  if (!keeper->has_value() || !question->has_value()) {
    evaluation.add_missing();
    return {};
  }
  evaluation.add(pair, refine::contrast({(*question)->text, (*question)->answer},
                                        {(*keeper)->text, (*keeper)->answer}, characters));
  return {};
}

Result<int> evaluate(const std::string& path, const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  const Result<std::vector<review::LabelledPair>> pairs = read_pairs(path);
  if (!pairs.ok()) return pairs.error();
  const Result<db::CharacterSums> sums = state->bank.character_sums();
  if (!sums.ok()) return sums.error();
  const refine::CharacterCounts characters = import::character_counts(*sums);
  review::Evaluation evaluation;
  for (const review::LabelledPair& pair : *pairs) {
    QDEDUP_TRY(evaluate_pair(pair, state->bank, characters, evaluation));
  }
  session.out() << (session.json() ? review::evaluation_json(evaluation)
                                   : review::evaluation_text(evaluation));
  return 0;
}

}  // namespace

void add_evaluate_command(CLI::App& app, Command& chosen) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("evaluate", "How well safe and doubtful agree with labelled pairs");
  command
      ->add_option("PAIRS", *path,
                   "TSV with a header: small_id, large_id, label; perhaps labelled_by, subject")
      ->required();
  command->callback(
      [path, &chosen] { chosen.run = [path](const Session& session) { return evaluate(*path, session); }; });
}

}  // namespace qdedup::cli
