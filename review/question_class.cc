#include "review/question_class.h"

#include <optional>
#include <string>
#include <utility>

#include "db/arrivals.h"
#include "db/snapshot.h"

namespace qdedup::review {

Result<std::optional<db::BankQuestion>> find_question(QuestionId question, db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::BankQuestion> found, bank.find(question));
  return found ? std::move(found) : db::Arrivals(store).find(question);
}

Result<QuestionClass> class_of(QuestionId question, db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(store));
  db::Classes classes(store);
  QuestionClass found;
  QDEDUP_ASSIGN_OR_RETURN(found.representative, classes.representative_of(question));
  QDEDUP_ASSIGN_OR_RETURN(db::ClassCursor members, classes.members_of(found.representative));
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<db::ClassMember> member, members.next());
    if (!member) break;
    found.members.push_back(*std::move(member));
  }
  QDEDUP_ASSIGN_OR_RETURN(found.changes, classes.changes_of(found.representative));
  if (!found.members.empty()) return found;
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> in_bank, bank.find(question));
  if (!in_bank) {
    return Error{ErrorCode::no_input, std::to_string(question) + ": is neither in the bank nor in any class"};
  }
  return found;
}

}  // namespace qdedup::review
