#include "db/swept_questions.h"

#include <algorithm>
#include <cstring>

#include "db/connection.h"

namespace qdedup::db {
namespace {

constexpr std::size_t row_bytes = 16;

void append_rows(const SQLite::Column& blob, std::vector<SweptQuestion>& questions) {
  const auto* bytes = static_cast<const char*>(blob.getBlob());
  const auto size = static_cast<std::size_t>(blob.getBytes());
  for (std::size_t at = 0; at + row_bytes <= size; at += row_bytes) {
    SweptQuestion question;
    std::memcpy(&question.id, bytes + at, sizeof question.id);
    std::memcpy(&question.text_hash, bytes + at + sizeof question.id, sizeof question.text_hash);
    questions.push_back(question);
  }
}

std::string rows_of(const std::vector<SweptQuestion>& questions) {
  std::string bytes(questions.size() * row_bytes, '\0');
  char* to = bytes.data();
  for (const SweptQuestion& question : questions) {
    std::memcpy(to, &question.id, sizeof question.id);
    std::memcpy(to + sizeof question.id, &question.text_hash, sizeof question.text_hash);
    to += row_bytes;
  }
  return bytes;
}

}  // namespace

Status SweptQuestions::begin(const std::string& rules) {
  return guarded(bank_.path(), [&] {
    SQLite::Transaction transaction(bank_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement known(bank_.database(), "SELECT value FROM meta WHERE name = 'swept_by'");
    if (known.executeStep() && known.getColumn(0).getString() == rules) return;
    bank_.database().exec("DELETE FROM swept");
    SQLite::Statement note(bank_.database(),
                           "INSERT OR REPLACE INTO meta (name, value) VALUES ('swept_by', ?)");
    note.bind(1, rules);
    note.exec();
    transaction.commit();
  });
}

Result<std::vector<SweptQuestion>> SweptQuestions::in(std::size_t first, std::size_t last) {
  return guarded(bank_.path(), [&] {
    std::vector<SweptQuestion> questions;
    SQLite::Statement rows(bank_.database(), "SELECT questions FROM swept WHERE bucket >= ? AND bucket < ?");
    rows.bind(1, static_cast<std::int64_t>(first));
    rows.bind(2, static_cast<std::int64_t>(last));
    while (rows.executeStep()) append_rows(rows.getColumn(0), questions);
    std::ranges::sort(questions, {}, &SweptQuestion::id);
    return questions;
  });
}

Status SweptQuestions::replace(std::size_t first, const std::vector<std::vector<SweptQuestion>>& by_bucket) {
  return guarded(bank_.path(), [&] {
    SQLite::Transaction transaction(bank_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement write(bank_.database(),
                            "INSERT OR REPLACE INTO swept (bucket, questions) VALUES (?, ?)");
    for (std::size_t i = 0; i < by_bucket.size(); ++i) {
      const std::string rows = rows_of(by_bucket[i]);
      write.reset();
      write.bind(1, static_cast<std::int64_t>(first + i));
      write.bindNoCopy(2, rows.data(), static_cast<int>(rows.size()));
      write.exec();
    }
    transaction.commit();
  });
}

}  // namespace qdedup::db
