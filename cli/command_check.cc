#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "page/question_json.h"
#include "review/deletion_list.h"

namespace qdedup::cli {
namespace {

struct CheckOptions {
  std::string file;
  import::FileShape shape;
  bool add = false;
  bool strict = false;
};

// What became of a file's questions.
struct CheckTotals {
  std::uint64_t questions = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t added = 0;
};

using Outcomes = std::vector<iteration::CheckOutcome>;

// Checking reads the whole bank, so questions are checked in batches of this size, or smaller ones if they
// are long.
constexpr std::size_t questions_per_batch = 100'000;
constexpr std::size_t text_bytes_per_batch = 8U << 20U;

void print(std::ostream& out, const iteration::AskedQuestion& question,
           const iteration::CheckOutcome& outcome) {
  out << *question.id << '\t';
  if (outcome.duplicate_of) {
    const refine::AnnotatedDeletion& row = *outcome.duplicate_of;
    out << "duplicate\t" << row.keeper << '\t' << review::similarity_percent(row.distance, row.length) << '\t'
        << name(row.confidence) << '\t' << row.reasons.text() << '\t' << text_of(row.risk) << '\n';
  } else {
    out << (outcome.added ? "added" : "new") << "\t\t\t\t" << outcome.refused << "\t\n";
  }
}

void print_all(const CommandContext& context, std::span<const iteration::AskedQuestion> questions,
               const Outcomes& outcomes, CheckTotals& totals) {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    ++totals.questions;
    totals.duplicates += outcomes[i].duplicate_of ? 1 : 0;
    totals.added += outcomes[i].added ? 1 : 0;
    if (context.json()) {
      context.out() << json_text(page::check_outcome_json(questions[i], outcomes[i])) << '\n';
    } else {
      print(context.out(), questions[i], outcomes[i]);
    }
  }
}

// Checks a file batch by batch, using `check`.
template <class CheckBatch>
Result<int> check_file(const CheckOptions& options, const CommandContext& context, const CheckBatch& check) {
  CheckTotals totals;
  std::vector<iteration::AskedQuestion> batch;
  std::size_t bytes = 0;
  const auto check_batch = [&]() -> Status {
    QDEDUP_ASSIGN_OR_RETURN(const Outcomes outcomes, check(batch));
    print_all(context, batch, outcomes, totals);
    batch.clear();
    bytes = 0;
    return {};
  };
  const auto take = [&](import::Question& question) -> Status {
    bytes += question.text.size() + (question.answer ? question.answer->size() : 0);
    for (const std::string& image : question.images) bytes += image.size();
    batch.push_back({question.id, std::move(question.text), std::move(question.answer),
                     std::move(question.images), question.arrived_at});
    return batch.size() < questions_per_batch && bytes < text_bytes_per_batch ? Status() : check_batch();
  };
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t rejected,
                          for_each_question(options.file, options.shape, context, take));
  if (!batch.empty()) QDEDUP_TRY(check_batch());
  if (options.add) {
    context.note_done({{"questions", totals.questions},
                       {"duplicates", totals.duplicates},
                       {"added", totals.added},
                       {"rejected", rejected}});
  }
  if (!context.quiet()) {
    context.err() << counted(totals.questions, "question") << ": " << counted(totals.duplicates, "duplicate")
                  << ", " << grouped(totals.added) << " added, " << grouped(rejected) << " rejected\n";
  }
  return batch_exit_code(rejected > 0, options.strict);
}

engine::DecisionSettings decision_settings(const CommandContext& context) {
  return {context.settings().refine, context.settings().contrast};
}

Result<int> run_check(const CheckOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  return check_file(options, context, [&](std::span<const iteration::AskedQuestion> questions) {
    return iteration::check_questions(questions, state.store, state.bank, decision_settings(context));
  });
}

Result<int> run_add(const CheckOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  return check_file(options, context, [&](std::span<const iteration::AskedQuestion> questions) {
    return iteration::add_new_questions(questions, reading, state->store, state->bank,
                                        decision_settings(context), context.settings().text, context.clock());
  });
}

}  // namespace

void add_check_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check",
      "Which new questions are duplicates, and of what; a line each: id, duplicate or new, of which id, "
      "similarity, confidence, reasons, risk");
  command->add_option("FILE", options->file, "Questions, as import takes them; - reads standard input")
      ->required();
  add_question_file_options(*command, options->shape);
  command->add_flag("--add", options->add,
                    "Add those that are new to the bank, and the duplicates to their classes");
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was rejected");
  command->callback([options, &chosen] {
    if (options->add) {
      chosen = {with_options(options, run_add), true, {options->file}};
    } else {
      chosen = {.run = with_options(options, run_check), .inputs = {options->file}, .goes_by_rules = true};
    }
  });
}

}  // namespace qdedup::cli
