#include "db/arrived_rows.h"

#include <algorithm>
#include <utility>

#include <xxhash.h>

#include "db/statement.h"

namespace qdedup::db {

BankQuestion arrived_row(SQLite::Statement& row) {
  BankQuestion question;
  question.id = row.getColumn(0).getInt64();
  question.text = row.getColumn(1).getString();
  question.answer = optional_text(row.getColumn(2));
  question.original = original_of(row, 3);
  return question;
}

// The signs end with a sign's end, which is no character of a Han part.
std::uint64_t text_key(const refine::Parts& parts) {
  std::u32string all = parts.signs;
  all += refine::Parts::end_of_sign;
  all += parts.han;
  return XXH3_64bits(all.data(), all.size() * sizeof(char32_t));
}

ArrivedRows::ArrivedRows(SQLite::Database& database)
    : database_(database),
      find_(database, std::string(select_arrived) + "WHERE id = ?"),
      texts_(database,
             "SELECT text_key, length, once, twice FROM arrived_text "
             "WHERE signs = ? AND length BETWEEN ? AND ?"),
      next_class_(database,
                  "SELECT representative, question_id FROM class_member "
                  "WHERE text_key = ?1 AND representative > ?2 ORDER BY representative, question_id LIMIT 1"),
      add_(database,
           "INSERT INTO arrived (id, arrived_at, text, answer, original_text, original_answer, images, "
           "text_key, entering) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      add_text_(database,
                "INSERT OR IGNORE INTO arrived_text (signs, length, text_key, once, twice) "
                "VALUES (?, ?, ?, ?, ?)"),
      key_(database, "SELECT text_key, text FROM arrived WHERE id = ?"),
      remove_(database, "DELETE FROM arrived WHERE id = ?"),
      set_key_(database, "UPDATE class_member SET text_key = ? WHERE question_id = ?") {}

std::optional<BankQuestion> ArrivedRows::find(QuestionId id) {
  bind_all(find_, id);
  if (!find_.executeStep()) return std::nullopt;
  return arrived_row(find_);
}

Result<std::vector<BankQuestion>> ArrivedRows::similar_to(const std::string& text, const refine::Parts& parts,
                                                          const refine::DuplicateSettings& settings,
                                                          const std::function<Status()>& go_on) {
  if (settings.signs == refine::SignRule::any || settings.compare == refine::ComparedText::text ||
      refine::set_measure(settings.similarity)) {
    return similar_of_all(refine::compared_parts(text, settings), settings, go_on);
  }
  std::vector<BankQuestion> found;
  for (const std::uint64_t key : keys_near(parts, settings)) {
    for (auto place = next_class(key, 0); place; place = next_class(key, place->representative)) {
      std::optional<BankQuestion> other = find(place->question);
      if (!other) continue;
      QDEDUP_TRY(go_on());
      if (refine::compare(parts, refine::parts_of(other->text), settings).duplicate)
        found.push_back(*std::move(other));
    }
  }
  return found;
}

void ArrivedRows::add(const Arrival& arrival, const refine::Parts& parts) {
  const BankQuestion& question = arrival.question;
  const std::uint64_t key = text_key(parts);
  run(add_, question.id, arrival.at, question.text, question.answer, question.original.text,
      question.original.answer, question.original.images, stored(key), arrival.is_new);
  add_text(parts, key);
}

void ArrivedRows::note_class(QuestionId id, const refine::Parts& parts) {
  run(set_key_, stored(text_key(parts)), id);
}

void ArrivedRows::add_text(const refine::Parts& parts, std::uint64_t key) {
  const QuestionSketch sketch = refine::sketch_of(parts);
  run(add_text_, stored(refine::sign_fingerprint(parts)), parts.han.size(), stored(key), stored(sketch.once),
      stored(sketch.twice));
}

void ArrivedRows::remove(QuestionId id) {
  bind_all(key_, id);
  if (!key_.executeStep()) return;
  const std::int64_t key = key_.getColumn(0).getInt64();
  const refine::Parts parts = refine::parts_of(key_.getColumn(1).getString());
  key_.reset();
  run(remove_, id);
  run(set_key_, std::optional<std::int64_t>(), id);
  run(database_,
      "DELETE FROM arrived_text WHERE signs = ?1 AND length = ?2 AND text_key = ?3 "
      "AND NOT EXISTS (SELECT 1 FROM arrived WHERE text_key = ?3)",
      stored(refine::sign_fingerprint(parts)), parts.han.size(), key);
}

Result<std::vector<BankQuestion>> ArrivedRows::similar_of_all(const refine::Parts& compared,
                                                              const refine::DuplicateSettings& settings,
                                                              const std::function<Status()>& go_on) {
  std::vector<BankQuestion> found;
  SQLite::Statement all(database_, std::string(select_arrived) +
                                       "WHERE id IN (SELECT min(a.id) FROM arrived AS a "
                                       "JOIN class_member AS m ON m.question_id = a.id "
                                       "GROUP BY a.text_key, a.text, m.representative) ORDER BY id");
  while (all.executeStep()) {
    QDEDUP_TRY(go_on());
    BankQuestion other = arrived_row(all);
    if (refine::compare(compared, refine::compared_parts(other.text, settings), settings).duplicate)
      found.push_back(std::move(other));
  }
  return found;
}

std::vector<std::uint64_t> ArrivedRows::keys_near(const refine::Parts& parts,
                                                  const refine::DuplicateSettings& settings) {
  const QuestionSketch own = refine::sketch_of(parts);
  const refine::LengthRange lengths = refine::similar_lengths(parts.han.size(), settings.min_similarity);
  bind_all(texts_, stored(refine::sign_fingerprint(parts)), lengths.min, lengths.max);
  std::vector<std::uint64_t> keys;
  while (texts_.executeStep()) {
    constexpr std::uint64_t longest = 255;
    QuestionSketch sketch = own;  // with its signs
    sketch.han_length = static_cast<std::uint8_t>(std::min(loaded(texts_.getColumn(1)), longest));
    sketch.once = loaded(texts_.getColumn(2));
    sketch.twice = loaded(texts_.getColumn(3));
    if (refine::may_be_duplicates(own, sketch, settings)) keys.push_back(loaded(texts_.getColumn(0)));
  }
  return keys;
}

std::optional<ArrivedRows::Place> ArrivedRows::next_class(std::uint64_t key, QuestionId after) {
  bind_all(next_class_, stored(key), after);
  if (!next_class_.executeStep()) return std::nullopt;
  return Place{next_class_.getColumn(0).getInt64(), next_class_.getColumn(1).getInt64()};
}

}  // namespace qdedup::db
