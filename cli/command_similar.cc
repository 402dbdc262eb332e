#include <memory>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "cli/printable.h"
#include "cli/question_class_json.h"
#include "cli/whole_number.h"
#include "db/deletions.h"
#include "review/deletion_list.h"
#include "review/question_class.h"

namespace qdedup::cli {
namespace {

// The earlier and the present deletions of a question and in its favour.
Result<std::vector<db::DeletionRow>> history_of(QuestionId question, db::Store& store) {
  Result<db::DeletionCursor> rows = db::Deletions(store).history_of(question);
  if (!rows.ok()) return std::move(rows).error();
  std::vector<db::DeletionRow> history;
  while (true) {
    Result<std::optional<db::DeletionRow>> next = rows->next();
    if (!next.ok()) return std::move(next).error();
    if (!next->has_value()) return history;
    history.push_back(**std::move(next));
  }
}

Result<std::string> text_of(QuestionId question, db::Bank& bank) {
  Result<std::optional<db::BankQuestion>> found = bank.find(question);
  if (!found.ok()) return std::move(found).error();
  return found->has_value() ? printable((*found)->text) : "(not in the bank)";
}

Status print_question(const Session& session, db::Bank& bank, QuestionId question, const std::string& note) {
  const Result<std::string> text = text_of(question, bank);
  if (!text.ok()) return text.error();
  session.out() << question << "  " << note << *text << '\n';
  return {};
}

std::string note_of(const db::ClassMember& row) {
  const std::string with =
      row.compared_with == row.representative ? "" : " with " + std::to_string(row.compared_with);
  return review::similarity_percent(row.distance, row.length) + " %" + with + ", " + row.confidence + ", " +
         row.status + "  ";
}

// "9 joined 2 (listed)", "9 left 2 for 5 (re-pointed)", "9 left 2 (reject by ann)".
std::string told(const db::ClassChange& change) {
  std::string words = std::to_string(change.question);
  if (change.from) words += " left " + std::to_string(*change.from);
  if (change.to) words += (change.from ? " for " : " joined ") + std::to_string(*change.to);
  const std::string by = change.decided_by.empty() ? "" : " by " + printable(change.decided_by);
  return words + " (" + change.reason + by + ")";
}

Status print(const Session& session, ReadableState& state, const review::QuestionClass& found,
             const std::vector<db::DeletionRow>& history) {
  session.out() << counted(found.members.size() + 1, "question") << "; " << found.representative
                << " stands for them\n";
  QDEDUP_TRY(print_question(session, state.bank, found.representative, ""));
  for (const db::ClassMember& row : found.members) {
    QDEDUP_TRY(print_question(session, state.bank, row.question, note_of(row)));
  }
  if (!history.empty()) session.out() << "listed\n";
  for (const db::DeletionRow& row : history) {
    session.out() << "  iteration " << row.iteration << ": " << row.question << " in favour of " << row.keeper
                  << ", " << row.status << '\n';
  }
  if (!found.changes.empty()) session.out() << "class\n";
  for (const db::ClassChange& change : found.changes) {
    session.out() << "  " << change.at << ": " << told(change) << '\n';
  }
  return {};
}

nlohmann::ordered_json history_json(const std::vector<db::DeletionRow>& history) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const db::DeletionRow& row : history) {
    json.push_back({{"iteration", row.iteration},
                    {"delete_id", row.question},
                    {"keep_id", row.keeper},
                    {"status", row.status}});
  }
  return json;
}

Result<int> run_similar(QuestionId question, const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  const Result<review::QuestionClass> found = review::class_of(question, state->store, state->bank);
  if (!found.ok()) return found.error();
  const Result<std::vector<db::DeletionRow>> history = history_of(question, state->store);
  if (!history.ok()) return history.error();
  if (session.json()) {
    nlohmann::ordered_json json = question_class_json(question, *found);
    json["history"] = history_json(*history);
    print_json(session.out(), json);
  } else {
    QDEDUP_TRY(print(session, *state, *found, *history));
  }
  return 0;
}

}  // namespace

void add_similar_command(CLI::App& app, Command& chosen) {
  auto question = std::make_shared<QuestionId>();
  CLI::App* command = app.add_subcommand(
      "similar",
      "The class of a question: who stands for it, the questions that are the same, and its history");
  command->add_option("ID", *question, "A question")
      ->required()
      ->check(whole_number(min_question_id, max_question_id));
  command->callback([question, &chosen] {
    chosen.run = [question](const Session& session) { return run_similar(*question, session); };
  });
}

}  // namespace qdedup::cli
