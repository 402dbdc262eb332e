#include "db/swept_questions.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

constexpr std::size_t question_bytes = 16;
static_assert(SweptQuestions::usual_part * question_bytes <= largest_row / 2);

void append_rows(std::string_view bytes, std::vector<SweptQuestion>& questions) {
  for (; bytes.size() >= question_bytes; bytes.remove_prefix(question_bytes)) {
    SweptQuestion question;
    std::memcpy(&question.id, bytes.data(), sizeof question.id);
    std::memcpy(&question.text_hash, bytes.data() + sizeof question.id, sizeof question.text_hash);
    questions.push_back(question);
  }
}

std::string rows_of(std::span<const SweptQuestion> questions) {
  std::string bytes(questions.size() * question_bytes, '\0');
  char* to = bytes.data();
  for (const SweptQuestion& question : questions) {
    std::memcpy(to, &question.id, sizeof question.id);
    std::memcpy(to + sizeof question.id, &question.text_hash, sizeof question.text_hash);
    to += question_bytes;
  }
  return bytes;
}

}  // namespace

Status SweptQuestions::begin(const std::string& rules) {
  return in_turn(bank_, [&] {
    SQLite::Transaction transaction(bank_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement known(bank_.database(), "SELECT value FROM meta WHERE name = 'swept_by'");
    if (known.executeStep() && known.getColumn(0).getString() == rules) return;
    bank_.database().exec("DELETE FROM swept");
    run(bank_.database(), "INSERT OR REPLACE INTO meta (name, value) VALUES ('swept_by', ?)", rules);
    transaction.commit();
  });
}

Result<std::vector<SweptQuestion>> SweptQuestions::in(std::size_t first, std::size_t last) {
  return guarded(bank_.path(), [&] {
    std::vector<SweptQuestion> questions;
    SQLite::Statement rows(bank_.database(), "SELECT questions FROM swept WHERE bucket % ? BETWEEN ? AND ?");
    bind_all(rows, buckets, first, stored(last) - 1);
    while (rows.executeStep()) append_rows(blob_view(rows.getColumn(0)), questions);
    std::ranges::sort(questions, {}, &SweptQuestion::id);
    return questions;
  });
}

// Part p of bucket b is the row b + p * `buckets`.
Status SweptQuestions::replace(std::size_t first, const std::vector<std::vector<SweptQuestion>>& by_bucket) {
  return in_turn(bank_, [&] {
    SQLite::Transaction transaction(bank_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    run(bank_.database(), "DELETE FROM swept WHERE bucket % ? BETWEEN ? AND ?", buckets, first,
        stored(first + by_bucket.size()) - 1);
    SQLite::Statement write(bank_.database(), "INSERT INTO swept (bucket, questions) VALUES (?, ?)");
    for (std::size_t i = 0; i < by_bucket.size(); ++i) {
      std::span<const SweptQuestion> left(by_bucket[i]);
      for (std::size_t row = first + i; !left.empty(); row += buckets) {
        const auto part = left.first(std::min(left.size(), questions_per_part_));
        left = left.subspan(part.size());
        const std::string rows = rows_of(part);
        run(write, row, Blob{rows});
      }
    }
    transaction.commit();
  });
}

}  // namespace qdedup::db
