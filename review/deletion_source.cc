#include "review/deletion_source.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace qdedup::review {
namespace {

Result<std::string> text_of(db::Bank& bank, QuestionId id) {
  Result<std::optional<db::BankQuestion>> question = bank.find(id);
  if (!question.ok()) return std::move(question).error();
  return question->has_value() ? std::move((*question)->text) : std::string();
}

Result<bool> next_entry(db::DeletionCursor& rows, db::Bank& bank, DeletionEntry& entry) {
  Result<std::optional<db::DeletionRow>> row = rows.next();
  if (!row.ok()) return std::move(row).error();
  if (!row->has_value()) return false;
  Result<std::string> delete_text = text_of(bank, (*row)->question);
  if (!delete_text.ok()) return std::move(delete_text).error();
  Result<std::string> keep_text = text_of(bank, (*row)->keeper);
  if (!keep_text.ok()) return std::move(keep_text).error();

  entry.iteration = (*row)->iteration;
  entry.delete_id = (*row)->question;
  entry.keep_id = (*row)->keeper;
  entry.distance = (*row)->distance;
  entry.length = (*row)->length;
  entry.confidence = std::move((*row)->confidence);
  entry.reasons = std::move((*row)->reasons);
  entry.status = std::move((*row)->status);
  entry.note = std::move((*row)->note);
  entry.delete_text = *std::move(delete_text);
  entry.keep_text = *std::move(keep_text);
  return true;
}

}  // namespace

Result<DeletionStream> stream_deletions(db::Store& store, db::Bank& bank, const db::DeletionFilter& filter) {
  Result<db::DeletionCursor> selected = db::Deletions(store).select(filter);
  if (!selected.ok()) return std::move(selected).error();
  auto rows = std::make_shared<db::DeletionCursor>(*std::move(selected));
  return DeletionStream([rows, &bank](DeletionEntry& entry) { return next_entry(*rows, bank, entry); });
}

}  // namespace qdedup::review
