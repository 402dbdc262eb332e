#include <memory>
#include <ostream>
#include <variant>

#include <nlohmann/json.hpp>

#include "cli/checked_questions.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "cli/rejected_rows.h"
#include "import/question_reader.h"
#include "review/deletion_list.h"

namespace qdedup::cli {
namespace {

struct CheckOptions {
  std::string file;
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

// Questions are checked in batches, as each reads the bank.
constexpr std::size_t questions_per_batch = 100'000;

// Reads up to a batch; tells what is wrong with rows that cannot be used.
Result<std::vector<iteration::AskedQuestion>> next_batch(import::QuestionReader& reader,
                                                         RejectedRows& rejected) {
  std::vector<iteration::AskedQuestion> batch;
  while (batch.size() < questions_per_batch) {
    Result<std::optional<import::Row>> row = reader.next();
    if (!row.ok()) return std::move(row).error();
    if (!row->has_value()) break;
    if (const auto* error = std::get_if<import::RowError>(&(*row)->content)) {
      rejected.tell((*row)->line, error->reason, error->detail);
      continue;
    }
    auto& question = std::get<import::Question>((*row)->content);
    batch.push_back({question.id, std::move(question.text), std::move(question.answer)});
  }
  return batch;
}

void print(std::ostream& out, const iteration::AskedQuestion& question,
           const iteration::CheckOutcome& outcome) {
  out << *question.id << '\t';
  if (outcome.duplicate_of) {
    out << "duplicate\t" << *outcome.duplicate_of << '\t'
        << review::similarity_percent(outcome.distance, outcome.length) << '\t' << outcome.confidence << '\t'
        << outcome.reasons << '\n';
  } else {
    out << (outcome.added ? "added" : "new") << "\t\t\t\t" << outcome.refused << '\n';
  }
}

void tell(const Session& session, std::span<const iteration::AskedQuestion> questions,
          const Outcomes& outcomes, CheckTotals& totals) {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    ++totals.questions;
    totals.duplicates += outcomes[i].duplicate_of ? 1 : 0;
    totals.added += outcomes[i].added ? 1 : 0;
    if (session.json()) {
      session.out() << check_outcome_json(questions[i], outcomes[i]).dump() << '\n';
    } else {
      print(session.out(), questions[i], outcomes[i]);
    }
  }
}

// Checks the batches of a file by `check`.
template <class CheckBatch>
Result<int> check_file(const CheckOptions& options, const Session& session, const CheckBatch& check) {
  const auto reader = import::open_questions(options.file, session.files(), std::nullopt);
  if (!reader.ok()) return reader.error();
  CheckTotals totals;
  RejectedRows rejected(session, options.file);
  while (true) {
    const auto batch = next_batch(**reader, rejected);
    if (!batch.ok()) return batch.error();
    if (batch->empty()) break;
    const Result<Outcomes> outcomes = check(*batch);
    if (!outcomes.ok()) return outcomes.error();
    tell(session, *batch, *outcomes, totals);
  }
  rejected.tell_rest();
  if (!session.quiet()) {
    session.err() << counted(totals.questions, "question") << ": " << grouped(totals.duplicates)
                  << " duplicates, " << grouped(totals.added) << " added, " << grouped(rejected.count())
                  << " rejected\n";
  }
  return batch_exit_code(rejected.count() > 0, options.strict);
}

Result<int> run_check(const CheckOptions& options, const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  return check_file(options, session, [&](std::span<const iteration::AskedQuestion> questions) {
    return iteration::check_questions(questions, state->store, state->bank, session.settings().refine);
  });
}

Result<int> run_add(const CheckOptions& options, const Session& session) {
  const auto state = session.open_for_writing();
  if (!state.ok()) return state.error();
  Result<db::Store> reading = session.open_store_for_reading();
  if (!reading.ok()) return std::move(reading).error();
  return check_file(options, session, [&](std::span<const iteration::AskedQuestion> questions) {
    return iteration::add_new_questions(questions, *reading, (*state)->bank, session.settings().refine,
                                        session.clock());
  });
}

}  // namespace

void add_check_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check",
      "Are these new questions duplicates, and of which? A line each: id, duplicate or new, of which id, "
      "similarity, confidence, reasons");
  command->add_option("FILE", options->file, "Questions, as import takes them; - reads standard input")
      ->required();
  command->add_flag("--add", options->add, "Those that are new enter the bank");
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was rejected");
  command->callback([options, &chosen] {
    const auto with = [options](auto function) {
      return [options, function](const Session& session) { return function(*options, session); };
    };
    if (options->add) {
      chosen = {with(run_add), true, {options->file}, {}};
    } else {
      chosen = {with(run_check), false, {options->file}, {}};
    }
  });
}

}  // namespace qdedup::cli
