#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "refine/character_counts.h"
#include "refine/pair_features.h"
#include "refine/parts.h"
#include "review/labelled_pairs.h"

namespace qdedup::cli {
namespace {

void print_heading(std::ostream& out) {
  out << "small_id\tlarge_id\tlabel\tsubject\tgroup\tkind";
  for (const std::string& name : refine::feature_names()) out << '\t' << name;
  out << '\n';
}

void print_pair(std::ostream& out, const review::LabelledPair& pair, std::string_view keeper,
                std::string_view question, const refine::CharacterCounts& characters) {
  const refine::PairFeatures features = refine::pair_features(question, keeper, characters);
  out << pair.small_id << '\t' << pair.large_id << '\t' << label_name(pair.label) << '\t' << pair.subject
      << '\t' << refine::sign_fingerprint(refine::parts_of(keeper)) << '\t'
      << (features.calculates ? "calculation" : "other");
  for (const std::int32_t value : features.values) out << '\t' << value;
  out << '\n';
}

Result<int> print_features(const std::string& path, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::string text,
                          config::read_text_file(path, std::size_t{1} << 30U, ErrorCode::data));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<review::LabelledPair> pairs,
                          review::read_labelled_pairs(path, text));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, state.bank.character_counts());
  print_heading(context.out());
  for (const review::LabelledPair& pair : pairs) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> keeper, state.bank.find(pair.small_id));
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> question, state.bank.find(pair.large_id));
    if (!keeper || !question) {
      return Error{ErrorCode::data, path + ": the bank has no question " +
                                        std::to_string(keeper ? pair.large_id : pair.small_id)};
    }
    print_pair(context.out(), pair, keeper->text, question->text, characters);
  }
  return 0;
}

}  // namespace

void add_features_command(CLI::App& app, Command& chosen) {
  auto path = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("features", "What the risk of labelled pairs is estimated from, a line each (TSV)");
  command->add_option("PAIRS", *path, "TSV with a header: small_id, large_id, label; perhaps subject")
      ->required();
  command->callback([path, &chosen] {
    chosen.run = [path](const CommandContext& context) { return print_features(*path, context); };
  });
}

}  // namespace qdedup::cli
