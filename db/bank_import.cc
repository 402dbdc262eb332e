#include "db/bank_import.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "db/database.h"
#include "db/sketches.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

std::string insertion(const char* how, std::size_t rows) {
  std::string sql = std::string(how) + " INTO question (import_id, id, signs, text, answer) VALUES ";
  for (std::size_t row = 0; row < rows; ++row) sql += row == 0 ? "(?1, ?, ?, ?, ?)" : ", (?1, ?, ?, ?, ?)";
  return sql;
}

bool is_ascending(std::span<const BankQuestion> questions) {
  return std::ranges::is_sorted(questions, std::less_equal<>(), &BankQuestion::id);
}

// The positions of the questions in order of their ids; questions with equal ids keep their order.
std::vector<std::size_t> order_of(std::span<const BankQuestion> questions) {
  std::vector<std::pair<QuestionId, std::size_t>> keys;
  keys.reserve(questions.size());
  for (const BankQuestion& question : questions) keys.emplace_back(question.id, keys.size());
  std::ranges::sort(keys);
  std::vector<std::size_t> order;
  order.reserve(keys.size());
  for (const auto& [id, place] : keys) order.push_back(place);
  return order;
}

// Whether somebody was told what a bank that is made anew lacks; none for any other bank.
Result<std::optional<bool>> told_of_lack(Bank& bank) {
  const auto is_told = [](SQLite::Statement& row) { return row.getColumn(0).getInt() != 0; };
  return first_row(bank, is_told, "SELECT value <> '' FROM meta WHERE name = 'made_anew'");
}

// Ascending.
Result<std::vector<QuestionId>> needed_by(Store& store) {
  return all_rows(store, first_number,
                  "SELECT keep_id FROM deletion WHERE " QDEDUP_OPEN
                  " UNION SELECT keep_id FROM verified_pair "
                  "UNION SELECT question_id FROM arrival_pair "
                  "UNION SELECT other_id FROM arrival_pair WHERE other_expired = 0 "
                  // These need not be in the bank.
                  "EXCEPT SELECT id FROM arrived "
                  "EXCEPT SELECT question_id FROM deletion WHERE " QDEDUP_OPEN " ORDER BY 1");
}

}  // namespace

// Puts questions into the table `question`.
class QuestionRows {
 public:
  explicit QuestionRows(SQLite::Database& database)
      : next_(database, "SELECT id FROM question WHERE id >= ? ORDER BY id LIMIT 1"),
        add_many_(database, insertion("INSERT", rows_at_once)),
        add_(database, insertion("INSERT", 1) + " ON CONFLICT (id) DO NOTHING"),
        replace_(database, insertion("INSERT OR REPLACE", 1)),
        erase_(database, "DELETE FROM question WHERE id = ?"),
        add_original_(database, insert_original),
        erase_original_(database, delete_original),
        put_arrival_(database, "INSERT OR REPLACE INTO arrival (id, arrived_at) VALUES (?, ?)"),
        erase_arrival_(database, "DELETE FROM arrival WHERE id = ?") {}

  // Whether the bank has a question with an id from `first` to `last`.
  bool any_between(QuestionId first, QuestionId last) {
    bind_all(next_, first);
    const bool found = next_.executeStep() && next_.getColumn(0).getInt64() <= last;
    next_.reset();
    return found;
  }

  // Adds questions that are not in the bank, in ascending order of ids. Inserts many per statement, which
  // takes half the time of one each.
  void add(std::span<const BankQuestion> questions, std::int64_t import_id) {
    for (const BankQuestion& question : questions) add_rest(question);
    while (questions.size() >= rows_at_once) {
      put(add_many_, questions.first(rows_at_once), import_id);
      questions = questions.subspan(rows_at_once);
    }
    for (const BankQuestion& question : questions) put(add_, {&question, 1}, import_id);
  }

  // Adds a question unless the bank has one with its id; returns whether it did. One search of the tree.
  bool add_if_absent(const BankQuestion& question, std::int64_t import_id) {
    const bool absent = put(add_, {&question, 1}, import_id) > 0;
    if (absent) add_rest(question);
    return absent;
  }

  void replace(const BankQuestion& question, std::int64_t import_id) {
    put(replace_, {&question, 1}, import_id);
    run(erase_original_, question.id);
    add_rest(question);
  }

  void erase(QuestionId id) {
    run(erase_, id);
    run(erase_original_, id);
    run(erase_arrival_, id);
  }

 private:
  static constexpr std::size_t rows_at_once = 50;

  // What does not stand in its row.
  void add_rest(const BankQuestion& question) {
    const OriginalQuestion& original = question.original;
    if (!original.empty()) run(add_original_, question.id, original.text, original.answer, original.images);
    if (question.arrived_at) run(put_arrival_, question.id, *question.arrived_at);
  }

  static int put(SQLite::Statement& statement, std::span<const BankQuestion> rows, std::int64_t import_id) {
    statement.reset();
    int last = 0;
    statement.bind(++last, import_id);
    for (const BankQuestion& question : rows) {
      statement.bind(++last, question.id);
      statement.bind(++last, stored(question.sign_fingerprint));
      statement.bindNoCopy(++last, question.text);
      ++last;
      if (question.answer) {
        statement.bindNoCopy(last, *question.answer);
      } else {
        statement.bind(last);
      }
    }
    return statement.exec();
  }

  SQLite::Statement next_;
  SQLite::Statement add_many_;
  SQLite::Statement add_;
  SQLite::Statement replace_;
  SQLite::Statement erase_;
  SQLite::Statement add_original_;
  SQLite::Statement erase_original_;
  SQLite::Statement put_arrival_;
  SQLite::Statement erase_arrival_;
};

// The bank's record of one import. Until it finishes, it has a row in meta, whose name contains its id and
// whose value is the number of questions stored so far, or less than 0: of questions removed.
class ImportRecord {
 public:
  ImportRecord(SQLite::Database& database, std::string source)
      : database_(database), source_(std::move(source)) {}

  // Runs in a transaction of its own.
  void begin(const std::string& at) {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    add(at, std::nullopt);
    store(0, 0);
    transaction.commit();
  }

  // The next three run in the open transaction.

  // Records how many questions are stored, or removed, so far.
  void store(std::uint64_t put, std::uint64_t removed) {
    const std::string rows = removed > 0 ? "-" + std::to_string(removed) : std::to_string(put);
    run(database_, "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
        "unfinished_import:" + std::to_string(id_), rows);
  }

  // Records the end of an import that stored, or removed, so many questions, and completes those before it
  // whose rows it had, too (Bank::interrupted_import).
  void finish(std::uint64_t put, std::uint64_t removed, const std::string& at) {
    run(database_, "UPDATE import SET finished_at = ? WHERE id = ?", at, id_);
    // Where most questions are still as that import stored them, this was another part of the bank.
    run(database_,
        "WITH unfinished AS (SELECT name, source, id AS import, CAST(value AS INTEGER) AS stored "
        "FROM import JOIN meta ON name = 'unfinished_import:' || id) "
        "DELETE FROM meta WHERE name IN (SELECT name FROM unfinished WHERE import = ?1 "
        "OR (source = ?2 AND source <> '-') OR (stored < 0 AND -stored <= ?4) "
        "OR (stored = 0 AND ?3 + ?4 > 0) "
        "OR (stored > 0 AND stored <= ?3 "
        "AND 10 * (SELECT count(*) FROM question WHERE import_id = import) <= stored))",
        id_, source_, put, removed);
  }

  // Completes no other import.
  void begin_and_finish(const std::string& at) { add(at, at); }

  [[nodiscard]] std::int64_t id() const { return id_; }

 private:
  void add(const std::string& started_at, const std::optional<std::string>& finished_at) {
    run(database_, "INSERT INTO import (source, started_at, finished_at) VALUES (?, ?, ?)", source_,
        started_at, finished_at);
    id_ = database_.getLastInsertRowid();
  }

  SQLite::Database& database_;
  std::string source_;
  std::int64_t id_ = 0;
};

void CharacterTally::enter(const refine::DecodedText& text) {
  changes_.enter(text.code_points());
  ++questions_;
}

void CharacterTally::leave(std::string_view text) {
  changes_.leave(text);
  --questions_;
}

void CharacterTally::add(const CharacterSums& changes) {
  for (const auto& [code_point, questions] : changes.characters) changes_.add(code_point, questions);
  questions_ += changes.questions;
}

void add_characters(SQLite::Database& database, const CharacterSums& changes) {
  run(database, "UPDATE total SET questions = questions + ?", changes.questions);
  SQLite::Statement upsert(
      database,
      "INSERT INTO character (code_point, questions) VALUES (?, ?) "
      "ON CONFLICT (code_point) DO UPDATE SET questions = questions + excluded.questions");
  for (const auto& [code_point, questions] : changes.characters) {
    run(upsert, static_cast<std::uint32_t>(code_point), questions);
  }
}

CharacterSums CharacterTally::take() { return {std::exchange(questions_, 0), changes_.take()}; }

struct BankImport::Work {
  Work(Bank& bank_to_fill, const std::string& source, std::uint64_t batch)
      : bank(bank_to_fill),
        record(bank.database(), source),
        rows_per_commit(batch),
        rows(bank.database()),
        find(bank.database(),
             "SELECT import_id, question.text, question.answer, original.text, original.answer, images "
             "FROM question LEFT JOIN original USING (id) WHERE id = ?") {}

  [[nodiscard]] Status begin_if_needed() {
    if (transaction) return {};
    QDEDUP_ASSIGN_OR_RETURN(turn, bank.take_turn());
    transaction =
        std::make_unique<SQLite::Transaction>(bank.database(), SQLite::TransactionBehavior::IMMEDIATE);
    return {};
  }

  void end() {
    transaction.reset();
    turn.reset();
  }

  void commit() {
    add_characters(bank.database(), tally.take());
    add_run(bank.database(), changed);
    changed.clear();
    transaction->commit();
    end();
    uncommitted = 0;
  }

  void done(std::size_t count) {
    uncommitted += count;
    if (uncommitted < rows_per_commit) return;
    record.store(rows_put, rows_removed);
    commit();
  }

  // The caller has counted the question's characters as entering. If the previous question was in the bank,
  // this one probably is too, so it is looked up first.
  Outcome put(const BankQuestion& question) {
    if (!last_was_there && rows.add_if_absent(question, record.id())) return inserted(question);
    bind_all(find, question.id);
    last_was_there = find.executeStep();
    if (!last_was_there) {
      rows.add_if_absent(question, record.id());
      return inserted(question);
    }
    const Outcome outcome = put_again(question);
    if (outcome != Outcome::replaced) tally.leave(question.text);
    return outcome;
  }

  Outcome inserted(const BankQuestion& question) {
    changed.push_back(sketch_entry(question));
    return Outcome::inserted;
  }

  // Stores a question whose id was just found.
  Outcome put_again(const BankQuestion& question) {
    if (find.getColumn(0).getInt64() == record.id()) {
      find.reset();
      return Outcome::repeated;
    }
    const std::string old_text = find.getColumn(1).getString();
    const bool same = old_text == question.text && optional_text(find.getColumn(2)) == question.answer &&
                      original_of(find, 3) == question.original;
    find.reset();  // otherwise its snapshot would outlive the batch, and the write-ahead log grow
    if (!same) {
      tally.leave(old_text);
      changed.push_back(sketch_entry(question));
    }
    rows.replace(question, record.id());
    return same ? Outcome::unchanged : Outcome::replaced;
  }

  // Stores questions; of several with the same id, the first stays. Goes by ascending ids, because random
  // access to the tree is slow.
  std::vector<Outcome> put_all(std::span<const BankQuestion> questions) {
    std::vector<Outcome> outcomes(questions.size(), Outcome::inserted);
    if (questions.empty()) return outcomes;
    if (is_ascending(questions) && !rows.any_between(questions.front().id, questions.back().id)) {
      rows.add(questions, record.id());
      for (const BankQuestion& question : questions) changed.push_back(sketch_entry(question));
    } else {
      for (const std::size_t i : order_of(questions)) outcomes[i] = put(questions[i]);
    }
    return outcomes;
  }

  Outcome remove(QuestionId id) {
    bind_all(find, id);
    if (!find.executeStep()) return Outcome::absent;
    tally.leave(find.getColumn(1).getString());
    changed.push_back({id, std::nullopt});
    find.reset();
    rows.erase(id);
    return Outcome::removed;
  }

  Bank& bank;
  ImportRecord record;
  std::uint64_t rows_per_commit;
  CharacterTally tally;
  std::uint64_t uncommitted = 0;
  std::uint64_t rows_put = 0;      // these two with the current batch, without repeated ones
  std::uint64_t rows_removed = 0;  // also those that were absent
  bool failed = false;
  bool last_was_there = false;       // the question stored last was in the bank before
  std::vector<SketchEntry> changed;  // in this batch
  QuestionRows rows;
  SQLite::Statement find;
  std::shared_ptr<void> turn;  // the bank's turn, held during a transaction
  std::unique_ptr<SQLite::Transaction> transaction;
};

BankImport::BankImport(std::unique_ptr<Work> work) : work_(std::move(work)) {}
BankImport::BankImport(BankImport&&) noexcept = default;
BankImport::~BankImport() = default;

Result<BankImport> BankImport::begin(Bank& bank, const std::string& source, const std::string& started_at,
                                     std::uint64_t rows_per_commit) {
  return in_turn(bank, [&] {
    auto work = std::make_unique<Work>(bank, source, rows_per_commit);
    work->record.begin(started_at);
    return BankImport(std::move(work));
  });
}

template <class Step>
Status BankImport::at_once(Bank& bank, const std::string& source, const std::string& at, const Step& step) {
  return guarded(bank.path(), [&]() -> Status {
    Work work(bank, source, 1);
    QDEDUP_TRY(work.begin_if_needed());
    work.record.begin_and_finish(at);
    step(work);
    work.commit();
    return {};
  });
}

Result<std::optional<NeededQuestions>> finish_lost_bank(Bank& bank, Store& store, Imported imported) {
  using Needed = std::optional<NeededQuestions>;
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<bool> told, told_of_lack(bank));
  if (!told) return Needed();
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<QuestionId> ids, needed_by(store));
  NeededQuestions needed{ids.size(), 0};
  QDEDUP_TRY(guarded(bank.path(), [&] {
    SQLite::Statement question(bank.database(), "SELECT 1 FROM question WHERE id = ?");
    for (const QuestionId id : ids) needed.missing += is_any(question, id) ? 0 : 1;
  }));
  const bool complete = 10 * needed.missing <= needed.all || (*told && imported == Imported::all_again);
  QDEDUP_TRY(in_turn(bank, [&] {
    run(bank.database(), complete ? "DELETE FROM meta WHERE name = 'made_anew'"
                                  : "UPDATE meta SET value = 'told' WHERE name = 'made_anew'");
  }));
  return complete ? Needed() : Needed(needed);
}

Status BankImport::load_at_once(Bank& bank, const std::string& source, const std::string& at,
                                std::span<const BankQuestion> questions) {
  return at_once(bank, source, at, [&](Work& work) {
    for (const BankQuestion& question : questions) {
      work.tally.enter(question.text);
      work.put(question);
    }
  });
}

Status BankImport::remove_at_once(Bank& bank, const std::string& source, const std::string& at,
                                  std::span<const QuestionId> questions) {
  return at_once(bank, source, at, [&](Work& work) {
    for (const QuestionId question : questions) work.remove(question);
  });
}

// One step within the batch. If it fails, SQLite may have rolled back the whole batch, and anything written
// afterwards would be committed without it.
template <class Step>
auto BankImport::in_batch(const Step& step) {
  using Done = typename ResultOf<std::invoke_result_t<Step>>::Type;
  Done done = guarded(work_->bank.path(), [&]() -> Done {
    if (work_->failed) throw SQLite::Exception("the import has failed before");
    QDEDUP_TRY(work_->begin_if_needed());
    return guarded(work_->bank.path(), step);
  });
  if (!done.ok()) {
    work_->failed = true;
    work_->end();
  }
  return done;
}

Result<std::vector<BankImport::Outcome>> BankImport::put_all(std::span<const BankQuestion> questions,
                                                             const CharacterSums& entering) {
  return in_batch([&] {
    work_->tally.add(entering);
    std::vector<Outcome> outcomes = work_->put_all(questions);
    work_->rows_put +=
        questions.size() - static_cast<std::uint64_t>(std::ranges::count(outcomes, Outcome::repeated));
    work_->done(questions.size());
    return outcomes;
  });
}

Result<BankImport::Outcome> BankImport::remove(QuestionId id) {
  return in_batch([&] {
    const Outcome outcome = work_->remove(id);
    ++work_->rows_removed;
    work_->done(1);
    return outcome;
  });
}

Status BankImport::keep() {
  return in_batch([&] {
    work_->record.store(work_->rows_put, work_->rows_removed);
    work_->commit();
  });
}

Status BankImport::finish(const std::string& finished_at) {
  return in_batch([&] {
    work_->record.finish(work_->rows_put, work_->rows_removed, finished_at);
    work_->commit();
  });
}

}  // namespace qdedup::db
