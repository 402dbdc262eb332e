#include "review/deciding.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "db/arrivals.h"
#include "db/snapshot.h"
#include "import/question_reader.h"
#include "refine/parts.h"
#include "review/workbook.h"

namespace qdedup::review {
namespace {

using db::Decision;
using db::DeletionStatus;

std::string without_white_space(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, is_white_space);
  return rest;
}

// Lists are filled in by people: in two languages, and as the page's buttons and statuses say it.
std::optional<Decision> decision_in_list(std::string_view filled_in) {
  static constexpr std::pair<std::string_view, Decision> words[] = {
      {"approve", Decision::approve}, {"approved", Decision::approve}, {"yes", Decision::approve},
      {"y", Decision::approve},       {"批准", Decision::approve},     {"同意", Decision::approve},
      {"是", Decision::approve},      {"reject", Decision::reject},    {"rejected", Decision::reject},
      {"no", Decision::reject},       {"n", Decision::reject},         {"驳回", Decision::reject},
      {"拒绝", Decision::reject},     {"否", Decision::reject},        {"reset", Decision::reset},
      {"重置", Decision::reset}};
  const std::string word = in_lower_case(without_white_space(filled_in));
  const auto found = std::ranges::find(words, word, &std::pair<std::string_view, Decision>::first);
  return found == std::end(words) ? std::nullopt : std::optional(found->second);
}

// The statuses that a decision on a filter applies to.
std::vector<DeletionStatus> statuses_for(Decision decision) {
  switch (decision) {
    case Decision::approve:
      return {DeletionStatus::pending};
    case Decision::reject:
      return {DeletionStatus::pending, DeletionStatus::approved};
    case Decision::reset:
      return {DeletionStatus::approved, DeletionStatus::rejected};
    case Decision::apply:
      return {DeletionStatus::approved};
  }
  return {};
}

// Of a question's deletions the open one, even if a newer one was rejected.
Result<std::optional<db::DeletionRow>> present_deletion(db::Deletions& deletions, QuestionId question) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::DeletionRow> open, deletions.open_of(question));
  if (open) return open;
  return deletions.find_newest(question);
}

// If a text begins with ' and =, a list lacks its ', which was taken for a guard.
bool is_as_listed(const db::BankQuestion& question, std::string_view listed) {
  const std::string seen = without_white_space(listed);
  const auto is_seen = [&seen](std::string_view text) {
    const std::string whole = without_white_space(text);
    return whole == seen || whole == "'" + seen;
  };
  const std::string& text = question.original_text();
  return is_seen(text) || is_seen(text_in_cell(text));
}

std::string pair_text(QuestionId question, QuestionId keeper) {
  return "deletion of " + std::to_string(question) + " in favour of " + std::to_string(keeper);
}

}  // namespace

void RequestedDecisions::refuse(const ListPlace& place, const std::string& kind, std::string reason) {
  ++refused[kind];
  const auto after = std::ranges::upper_bound(problems, place, std::less(), &Problem::place);
  if (after == problems.end() && problems.size() == max_problems) return;
  problems.insert(after, {place, std::move(reason)});
  if (problems.size() > max_problems) problems.pop_back();
}

// Why the deletion would not be valid for the present texts in the status it is to get; empty if it would.
Result<std::string> DecisionLookup::why_outdated(db::DeletionRow deletion, Decision decision) {
  deletion.status = db::outcome(decision, deletion.status).value_or(deletion.status);
  QDEDUP_ASSIGN_OR_RETURN(const db::Standing standing, db::standing_of(deletion, bank_));
  // Reset, it is withdrawn by the next iteration, and its question counts again.
  if (standing == db::Standing::keeper_gone && decision != Decision::reset)
    return std::string("its keeper has left the bank");
  if (standing == db::Standing::text_changed) {
    return std::string("a text has changed since; the next iteration decides anew");
  }
  return std::string();
}

// The question whose text in the bank differs from that in the list. A question that left the bank cannot be
// compared.
Result<std::optional<QuestionId>> DecisionLookup::not_as_seen(const ListedRow& row) {
  const std::pair<QuestionId, const std::optional<std::string>*> sides[] = {
      {row.question, &row.question_text}, {row.keeper.value_or(0), &row.keeper_text}};
  for (const auto& [id, text] : sides) {
    if (!*text) continue;
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> question, bank_.find(id));
    if (!question) continue;
    if (!is_as_listed(*question, **text)) return std::optional(id);
  }
  return std::optional<QuestionId>();
}

void DecisionLookup::request(const db::DecisionRequest& request, const ListPlace& place,
                             RequestedDecisions& requested) {
  const auto [earlier, is_first] = decided_.emplace(request.deletion_id, place);
  if (!is_first) {
    requested.refuse(place, "is in the list already", "is in " + earlier->second.shown() + " already");
    return;
  }
  requested.requests.push_back(request);
  requested.places.push_back(place);
}

Status DecisionLookup::of_listed(const ListedRow& row, RequestedDecisions& requested) {
  if (!without_white_space(row.decision).empty()) return of_row(row, requested);
  ++requested.undecided;
  return {};
}

Status DecisionLookup::of_row(const ListedRow& row, RequestedDecisions& requested) {
  const auto refuse = [&](auto... reason) {
    requested.refuse(row.place, std::move(reason)...);
    return Status();
  };
  const std::optional<Decision> decision = decision_in_list(row.decision);
  if (!decision) {
    const std::string kind = "decision must be approve, reject or reset";
    return refuse(kind, kind + " (found " + import::excerpt(row.decision) + ")");
  }
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> found,
                          row.iteration ? deletions_.find_listed(*row.iteration, row.question)
                                        : deletions_.find(row.question, *row.keeper));
  if (!found) return refuse("there is no such deletion");
  const db::DeletionRow& deletion = *found;
  if (deletion.keeper != *row.keeper) {
    return refuse("its keeper is another one by now",
                  "its keeper is " + std::to_string(deletion.keeper) + " by now");
  }
  if (!db::outcome(*decision, deletion.status)) return refuse("is " + std::string(name(deletion.status)));
  QDEDUP_ASSIGN_OR_RETURN(const std::string outdated, why_outdated(deletion, *decision));
  if (!outdated.empty()) return refuse(outdated);
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<QuestionId> other_text, not_as_seen(row));
  if (other_text) {
    return refuse("a text in the list is not the one in the bank",
                  "the text of " + std::to_string(*other_text) + " in the list is not the one in the bank");
  }
  request({deletion.id, *decision, row.note, db::seen(deletion)}, row.place, requested);
  return {};
}

// Whether what is there by that id now, in the bank or arrived, is not what the list shows. The hash of what
// was compared tells it only of what had left the bank when the list was written: it is of the extracted
// text, which other [text] settings change.
Result<bool> DecisionLookup::is_another(const ListedRow& row, const db::DeletionRow& deletion) {
  if (!row.question_text) return false;
  QDEDUP_ASSIGN_OR_RETURN(const auto present, db::find_question(row.question, store_, bank_));
  if (!present) return false;
  if (without_white_space(*row.question_text).empty())
    return refine::text_hash(present->text) != deletion.question_hash;
  return !is_as_listed(*present, *row.question_text);
}

// Why an approved deletion is not to be carried out by now, as what is said of its question; empty if it is.
Result<std::string> DecisionLookup::why_withheld(const ListedRow& row, const db::DeletionRow& deletion) {
  QDEDUP_ASSIGN_OR_RETURN(const bool another, is_another(row, deletion));
  if (another) return std::string("has another text than the one that was to be deleted");
  QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair pair, bank_.find_pair(row.question, deletion.keeper));
  if (!pair.keeper) return std::string("was to be deleted in favour of one that has left the bank");
  const bool shows_keeper = row.keeper == deletion.keeper && row.keeper_text.has_value();
  if (shows_keeper && !is_as_listed(*pair.keeper, *row.keeper_text))
    return std::string("was to be deleted in favour of one that has another text by now");
  if (db::answers_contradict(deletion, pair))
    return std::string("has an answer by now that contradicts the one of the question that is kept");
  return std::string();
}

Status DecisionLookup::take_applied(const ListedRow& row, RequestedDecisions& requested) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> found,
                          row.iteration ? deletions_.find_listed(*row.iteration, row.question)
                                        : present_deletion(deletions_, row.question));
  if (!found) {
    const std::string kind = "was never listed for deletion";
    requested.refuse(row.place, kind, std::to_string(row.question) + " " + kind);
    return {};
  }
  if (row.keeper.value_or(found->keeper) != found->keeper && found->status == DeletionStatus::pending) {
    const std::string again = "is pending again, as its keeper is ";
    requested.refuse(row.place, again + "another one by now",
                     again + std::to_string(found->keeper) + " by now");
    return {};
  }
  if (found->status == DeletionStatus::approved) {
    QDEDUP_ASSIGN_OR_RETURN(const std::string why, why_withheld(row, *found));
    if (!why.empty()) {
      const std::string reason = " " + why + "; if it was deleted, put it back";
      requested.refuse(row.place, "the question" + reason, std::to_string(row.question) + reason);
      return {};
    }
  }
  request({found->id, Decision::apply, ""}, row.place, requested);
  return {};
}

Result<RequestedDecisions> DecisionLookup::of_list(const std::string& path, const logs::Files& files,
                                                   ListUse use) {
  const auto take = use == ListUse::decisions ? &DecisionLookup::of_listed : &DecisionLookup::take_applied;
  RequestedDecisions requested;
  QDEDUP_TRY(read_list(
      path, files, use, [&](const ListedRow& row) { return (this->*take)(row, requested); },
      [&](const ListPlace& place, const import::RowError& error) {
        requested.refuse(place, error.reason, shown(error));
      }));
  return requested;
}

Result<RequestedDecisions> DecisionLookup::of_pair(QuestionId question, QuestionId keeper, Decision decision,
                                                   const std::string& note) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> found, deletions_.find(question, keeper));
  if (!found) {
    QDEDUP_ASSIGN_OR_RETURN(const auto reversed, deletions_.find(keeper, question));
    return Error{ErrorCode::no_input, "there is no " + pair_text(question, keeper) +
                                          (reversed ? ", but one of " + std::to_string(keeper) +
                                                          " in favour of " + std::to_string(question)
                                                    : "")};
  }
  const db::DeletionRow& deletion = *found;
  RequestedDecisions requested;
  QDEDUP_ASSIGN_OR_RETURN(const std::string outdated, why_outdated(deletion, decision));
  if (!db::outcome(decision, deletion.status)) {
    requested.refuse({}, "the " + pair_text(question, keeper) + " is " + std::string(name(deletion.status)));
  } else if (!outdated.empty()) {
    requested.refuse({}, "the " + pair_text(question, keeper) + ": " + outdated);
  } else {
    QDEDUP_ASSIGN_OR_RETURN(db::QuestionPair pair, bank_.find_pair(question, keeper));
    request({deletion.id, decision, note, db::seen(deletion), std::move(pair)}, {}, requested);
  }
  return requested;
}

Result<RequestedDecisions> DecisionLookup::of_filter(db::DeletionFilter filter, Decision decision,
                                                     const std::string& note) {
  filter.statuses = statuses_for(decision);
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot of_bank, db::Snapshot::take(bank_));
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, deletions_.select(filter));
  RequestedDecisions requested;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, rows.next());
    if (!row) return requested;
    QDEDUP_ASSIGN_OR_RETURN(const std::string outdated, why_outdated(*row, decision));
    if (outdated.empty()) {
      requested.requests.push_back({row->id, decision, note, db::seen(*row)});
      requested.places.emplace_back();
    } else {
      requested.refuse({}, outdated);
    }
  }
}

}  // namespace qdedup::review
