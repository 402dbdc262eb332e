#include "db/standing.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "refine/parts.h"

namespace qdedup::db {
namespace {

// The hash of a question's text now; nothing when it has none.
Result<std::optional<std::uint64_t>> current_hash(Bank& bank, QuestionId id) {
  Result<std::optional<BankQuestion>> question = bank.find(id);
  if (!question.ok()) return std::move(question).error();
  if (!question->has_value()) return std::optional<std::uint64_t>();
  return std::optional(refine::text_hash((*question)->text));
}

}  // namespace

Result<Standing> standing_of(const DeletionRow& row, Bank& bank) {
  const auto question = current_hash(bank, row.question);
  if (!question.ok()) return question.error();
  const auto keeper = current_hash(bank, row.keeper);
  if (!keeper.ok()) return keeper.error();
  const bool question_changed = *question && **question != row.question_hash;
  if (!*keeper) {
    const bool decided = row.status == "applied" || row.status == "rejected";
    return decided && !question_changed ? Standing::holds : Standing::keeper_gone;
  }
  return question_changed || **keeper != row.keep_hash ? Standing::text_changed : Standing::holds;
}

}  // namespace qdedup::db
