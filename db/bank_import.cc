#include "db/bank_import.h"

#include <utility>
#include <vector>

#include "db/connection.h"
#include "db/integer.h"
#include "db/optional_text.h"
#include "db/sketches.h"

namespace qdedup::db {

struct BankImport::Work {
  Work(Bank& bank_to_fill, std::uint64_t batch, CharacterTally& counter)
      : bank(bank_to_fill),
        rows_per_commit(batch),
        tally(counter),
        find(bank.database(), "SELECT import_id, text, answer FROM question WHERE id = ?"),
        write(bank.database(),
              "INSERT OR REPLACE INTO question (id, signs, import_id, text, answer) VALUES (?, ?, ?, ?, ?)"),
        erase(bank.database(), "DELETE FROM question WHERE id = ?") {}

  void begin_if_needed() {
    if (transaction) return;
    transaction =
        std::make_unique<SQLite::Transaction>(bank.database(), SQLite::TransactionBehavior::IMMEDIATE);
  }

  void commit() {
    add(tally.take());
    add_run(bank.database(), changed);
    changed.clear();
    transaction->commit();
    transaction.reset();
    uncommitted = 0;
  }

  void row_done() {
    if (++uncommitted >= rows_per_commit) commit();
  }

  void add(const CharacterSums& changes) {
    SQLite::Statement total(bank.database(), "UPDATE total SET questions = questions + ?");
    total.bind(1, changes.questions);
    total.exec();
    SQLite::Statement upsert(
        bank.database(),
        "INSERT INTO character (code_point, questions) VALUES (?, ?) "
        "ON CONFLICT (code_point) DO UPDATE SET questions = questions + excluded.questions");
    for (const auto& [code_point, questions] : changes.characters) {
      upsert.bind(1, static_cast<std::uint32_t>(code_point));
      upsert.bind(2, questions);
      upsert.exec();
      upsert.reset();
    }
  }

  Outcome put(const BankQuestion& question) {
    find.reset();
    find.bind(1, question.id);
    if (!find.executeStep()) {
      tally.enter(question.text);
      changed.push_back(sketch_entry(question));
      store(question);
      return Outcome::inserted;
    }
    if (find.getColumn(0).getInt64() == import_id) {
      find.reset();
      return Outcome::repeated;
    }
    const std::string old_text = find.getColumn(1).getString();
    const bool same = old_text == question.text && optional_text(find.getColumn(2)) == question.answer;
    find.reset();  // or its view of the bank would outlive the batch, and the write-ahead log grow on
    if (!same) {
      tally.leave(old_text);
      tally.enter(question.text);
      changed.push_back(sketch_entry(question));
    }
    store(question);
    return same ? Outcome::unchanged : Outcome::replaced;
  }

  void store(const BankQuestion& question) {
    write.reset();
    write.bind(1, question.id);
    write.bind(2, stored(question.sign_fingerprint));
    write.bind(3, import_id);
    write.bindNoCopy(4, question.text);
    bind_optional(write, 5, question.answer);
    write.exec();
  }

  Outcome remove(QuestionId id) {
    find.reset();
    find.bind(1, id);
    if (!find.executeStep()) return Outcome::absent;
    tally.leave(find.getColumn(1).getString());
    changed.push_back({id, std::nullopt});
    find.reset();
    erase.reset();
    erase.bind(1, id);
    erase.exec();
    return Outcome::removed;
  }

  Bank& bank;
  std::uint64_t rows_per_commit;
  CharacterTally& tally;
  std::int64_t import_id = 0;
  std::uint64_t uncommitted = 0;
  bool failed = false;
  std::vector<SketchEntry> changed;  // of the batch
  SQLite::Statement find;
  SQLite::Statement write;
  SQLite::Statement erase;
  std::unique_ptr<SQLite::Transaction> transaction;
};

BankImport::BankImport(std::unique_ptr<Work> work) : work_(std::move(work)) {}
BankImport::BankImport(BankImport&&) noexcept = default;
BankImport::~BankImport() = default;

Result<BankImport> BankImport::begin(Bank& bank, const std::string& source, const std::string& started_at,
                                     std::uint64_t rows_per_commit, CharacterTally& tally) {
  return guarded(bank.path(), [&] {
    SQLite::Statement insert(bank.database(), "INSERT INTO import (source, started_at) VALUES (?, ?)");
    insert.bind(1, source);
    insert.bind(2, started_at);
    insert.exec();
    auto work = std::make_unique<Work>(bank, rows_per_commit, tally);
    work->import_id = bank.database().getLastInsertRowid();
    return BankImport(std::move(work));
  });
}

Status BankImport::load_at_once(Bank& bank, const std::string& source, const std::string& at,
                                std::span<const BankQuestion> questions, CharacterTally& tally) {
  return guarded(bank.path(), [&] {
    Work work(bank, questions.size() + 1, tally);
    work.begin_if_needed();
    SQLite::Statement insert(bank.database(),
                             "INSERT INTO import (source, started_at, finished_at) VALUES (?, ?2, ?2)");
    insert.bind(1, source);
    insert.bind(2, at);
    insert.exec();
    work.import_id = bank.database().getLastInsertRowid();
    for (const BankQuestion& question : questions) work.put(question);
    work.commit();
  });
}

// One step within the batch. When it fails SQLite may have undone all of the batch by itself, and what was
// written after that would stand alone.
template <class Step>
auto BankImport::in_batch(const Step& step) {
  auto done = guarded(work_->bank.path(), [&] {
    if (work_->failed) throw SQLite::Exception("the import has failed before");
    work_->begin_if_needed();
    return step();
  });
  if (!done.ok()) {
    work_->failed = true;
    work_->transaction.reset();
  }
  return done;
}

Result<BankImport::Outcome> BankImport::put(const BankQuestion& question) {
  return in_batch([&] {
    const Outcome outcome = work_->put(question);
    work_->row_done();
    return outcome;
  });
}

Result<BankImport::Outcome> BankImport::remove(QuestionId id) {
  return in_batch([&] {
    const Outcome outcome = work_->remove(id);
    work_->row_done();
    return outcome;
  });
}

Status BankImport::keep() {
  return in_batch([&] { work_->commit(); });
}

Status BankImport::finish(const std::string& finished_at) {
  return in_batch([&] {
    SQLite::Statement update(work_->bank.database(), "UPDATE import SET finished_at = ? WHERE id = ?");
    update.bind(1, finished_at);
    update.bind(2, work_->import_id);
    update.exec();
    work_->commit();
  });
}

}  // namespace qdedup::db
