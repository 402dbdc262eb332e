#include "review/deletion_source.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace qdedup::review {
namespace {

// A question of the bank as it is now; without text when it left.
Result<db::BankQuestion> question_of(db::Bank& bank, QuestionId id) {
  Result<std::optional<db::BankQuestion>> question = bank.find(id);
  if (!question.ok()) return std::move(question).error();
  return question->has_value() ? **std::move(question) : db::BankQuestion{id, "", std::nullopt, 0, {}};
}

refine::Contrast contrast_of(const db::BankQuestion& question, const db::BankQuestion& keeper,
                             const refine::CharacterCounts* characters) {
  if (characters == nullptr || question.text.empty() || keeper.text.empty()) return {};
  return refine::contrast({question.text, question.answer}, {keeper.text, keeper.answer}, *characters);
}

Result<bool> next_entry(db::DeletionCursor& rows, db::Bank& bank, const refine::CharacterCounts* characters,
                        DeletionEntry& entry) {
  Result<std::optional<db::DeletionRow>> row = rows.next();
  if (!row.ok()) return std::move(row).error();
  if (!row->has_value()) return false;
  Result<db::BankQuestion> question = question_of(bank, (*row)->question);
  if (!question.ok()) return std::move(question).error();
  Result<db::BankQuestion> keeper = question_of(bank, (*row)->keeper);
  if (!keeper.ok()) return std::move(keeper).error();

  entry.iteration = (*row)->iteration;
  entry.delete_id = (*row)->question;
  entry.keep_id = (*row)->keeper;
  entry.distance = (*row)->distance;
  entry.length = (*row)->length;
  entry.confidence = std::move((*row)->confidence);
  entry.reasons = std::move((*row)->reasons);
  entry.status = std::move((*row)->status);
  entry.note = std::move((*row)->note);
  entry.contrast = contrast_of(*question, *keeper, characters);
  entry.delete_answer = std::move(question->answer);
  entry.keep_answer = std::move(keeper->answer);
  entry.delete_text = std::move(question->text);
  entry.keep_text = std::move(keeper->text);
  return true;
}

}  // namespace

Result<DeletionStream> stream_deletions(db::Store& store, db::Bank& bank, const db::DeletionFilter& filter,
                                        const refine::CharacterCounts* characters) {
  Result<db::DeletionCursor> selected = db::Deletions(store).select(filter);
  if (!selected.ok()) return std::move(selected).error();
  auto rows = std::make_shared<db::DeletionCursor>(*std::move(selected));
  return DeletionStream(
      [rows, &bank, characters](DeletionEntry& entry) { return next_entry(*rows, bank, characters, entry); });
}

}  // namespace qdedup::review
