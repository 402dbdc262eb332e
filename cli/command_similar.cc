#include <algorithm>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "db/arrivals.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "page/classes.h"
#include "review/deletion_list.h"

namespace qdedup::cli {
namespace {

// Past and present deletions that list the question or keep it, in the order of listing.
Result<std::vector<db::DeletionRow>> history_of(QuestionId question, db::Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, db::Deletions(store).history_of(question));
  std::vector<db::DeletionRow> history;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<db::DeletionRow> next, rows.next());
    if (!next) break;
    history.push_back(*std::move(next));
  }
  std::ranges::reverse(history);
  return history;
}

Status print_question(const CommandContext& context, ReadableState& state, QuestionId question,
                      const std::string& note) {
  QDEDUP_ASSIGN_OR_RETURN(const auto found, db::find_question(question, state.store, state.bank));
  std::ostream& out = context.words();
  out << question << "  " << note;
  if (found) {
    out << Verbatim{escaped(found->text)} << '\n';
  } else {
    out << "(not in the bank)\n";
  }
  return {};
}

std::string note_of(const db::ClassMember& row) {
  const std::string with =
      row.compared_with == row.representative ? "" : " with " + std::to_string(row.compared_with);
  return review::similarity_percent(row.distance, row.length) + " %" + with + ", " +
         std::string(name(row.confidence)) + ", risk " + text_of(row.risk) + ", " + row.status + "  ";
}

// "9 joined 2 (listed)", "9 left 2 for 5 (re-pointed)", "9 left 2 (reject by ann)".
std::string text_of(const db::ClassChange& change) {
  std::string words = std::to_string(change.question);
  if (change.from) words += " left " + std::to_string(*change.from);
  if (change.to) words += (change.from ? " for " : " joined ") + std::to_string(*change.to);
  const std::string who = db::display_name(change.decided_by, change.given_name);
  const std::string by = change.decided_by.empty() ? "" : " by " + escaped(who);
  return words + " (" + escaped(change.reason) + by + ")";
}

Status print(const CommandContext& context, ReadableState& state, const page::QuestionClass& found,
             const std::vector<db::DeletionRow>& history) {
  context.words() << counted(found.members.size() + 1, "question") << "; " << found.representative
                  << " stands for them\n";
  QDEDUP_TRY(print_question(context, state, found.representative, ""));
  for (const db::ClassMember& row : found.members) {
    QDEDUP_TRY(print_question(context, state, row.question, note_of(row)));
  }
  if (!history.empty()) context.words() << "listed\n";
  for (const db::DeletionRow& row : history) {
    context.words() << "  iteration " << row.iteration << ": " << row.question << " in favour of "
                    << row.keeper << ", " << name(row.status) << '\n';
  }
  if (!found.changes.empty()) context.words() << "class\n";
  for (const db::ClassChange& change : found.changes) {
    context.words() << "  " << change.at << ": " << text_of(change) << '\n';
  }
  return {};
}

Json history_json(const std::vector<db::DeletionRow>& history) {
  Json json = Json::array();
  for (const db::DeletionRow& row : history) {
    json.push_back({{"iteration", row.iteration},
                    {"delete_id", row.question},
                    {"keep_id", row.keeper},
                    {"status", name(row.status)}});
  }
  return json;
}

Result<int> run_similar(QuestionId question, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const page::QuestionClass found, page::class_of(question, state.store, state.bank));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::DeletionRow> history, history_of(question, state.store));
  if (context.json()) {
    Json json = page::question_class_json(question, found);
    json["history"] = history_json(history);
    print_json(context.out(), json);
  } else {
    QDEDUP_TRY(print(context, state, found, history));
  }
  return 0;
}

}  // namespace

void add_similar_command(CLI::App& app, Command& chosen) {
  auto question = std::make_shared<QuestionId>();
  CLI::App* command = app.add_subcommand(
      "similar",
      "The class of a question: its representative, the questions that are the same, and its history");
  command->add_option("ID", *question, "A question")->required()->check(whole_number());
  command->callback([question, &chosen] { chosen.run = with_options(question, run_similar); });
}

}  // namespace qdedup::cli
