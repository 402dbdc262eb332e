#include "db/bank_import.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "db/connection.h"
#include "db/import_record.h"
#include "db/optional_text.h"
#include "db/question_rows.h"
#include "db/sketches.h"

namespace qdedup::db {
namespace {

bool is_ascending(std::span<const BankQuestion> questions) {
  return std::ranges::is_sorted(questions, std::less_equal<>(), &BankQuestion::id);
}

// The places of the questions in order of their ids, equal ones as they stand.
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

}  // namespace

struct BankImport::Work {
  Work(Bank& bank_to_fill, const std::string& source, std::uint64_t batch, CharacterTally& counter)
      : bank(bank_to_fill),
        record(bank.database(), source),
        rows_per_commit(batch),
        tally(counter),
        rows(bank.database()),
        find(bank.database(), "SELECT import_id, text, answer FROM question WHERE id = ?"),
        erase(bank.database(), "DELETE FROM question WHERE id = ?") {}

  [[nodiscard]] Status begin_if_needed() {
    if (transaction) return {};
    Result<std::shared_ptr<void>> taken = bank.take_turn();
    if (!taken.ok()) return std::move(taken).error();
    turn = *std::move(taken);
    transaction =
        std::make_unique<SQLite::Transaction>(bank.database(), SQLite::TransactionBehavior::IMMEDIATE);
    return {};
  }

  void end() {
    transaction.reset();
    turn.reset();
  }

  void commit() {
    add(tally.take());
    add_run(bank.database(), changed);
    changed.clear();
    transaction->commit();
    end();
    uncommitted = 0;
  }

  void done(std::size_t count) {
    uncommitted += count;
    rows_stored += count;
    if (uncommitted < rows_per_commit) return;
    record.store(rows_stored);
    commit();
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

  // The characters of the question have been counted as entering. Whether one is in the bank is looked up
  // first where the one before it was.
  Outcome put(const BankQuestion& question) {
    if (!last_was_there && rows.add_if_absent(question, record.id())) return inserted(question);
    find.reset();
    find.bind(1, question.id);
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

  // Puts a question with the id of the one that was found.
  Outcome put_again(const BankQuestion& question) {
    if (find.getColumn(0).getInt64() == record.id()) {
      find.reset();
      return Outcome::repeated;
    }
    const std::string old_text = find.getColumn(1).getString();
    const bool same = old_text == question.text && optional_text(find.getColumn(2)) == question.answer;
    find.reset();  // or its view of the bank would outlive the batch, and the write-ahead log grow on
    if (!same) {
      tally.leave(old_text);
      changed.push_back(sketch_entry(question));
    }
    rows.replace(question, record.id());
    return same ? Outcome::unchanged : Outcome::replaced;
  }

  // Puts questions of which the first with an id stays; in order of their ids, as random places of the tree
  // are slow.
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
  ImportRecord record;
  std::uint64_t rows_per_commit;
  CharacterTally& tally;
  std::uint64_t uncommitted = 0;
  std::uint64_t rows_stored = 0;  // put or removed, with what the batch has so far
  std::uint64_t rows_put = 0;
  bool failed = false;
  bool last_was_there = false;       // the question that was put last
  std::vector<SketchEntry> changed;  // of the batch
  QuestionRows rows;
  SQLite::Statement find;
  SQLite::Statement erase;
  std::shared_ptr<void> turn;  // the bank's, while there is a transaction
  std::unique_ptr<SQLite::Transaction> transaction;
};

BankImport::BankImport(std::unique_ptr<Work> work) : work_(std::move(work)) {}
BankImport::BankImport(BankImport&&) noexcept = default;
BankImport::~BankImport() = default;

Result<BankImport> BankImport::begin(Bank& bank, const std::string& source, const std::string& started_at,
                                     std::uint64_t rows_per_commit, CharacterTally& tally) {
  return in_turn(bank, [&] {
    auto work = std::make_unique<Work>(bank, source, rows_per_commit, tally);
    work->record.begin(started_at);
    return BankImport(std::move(work));
  });
}

Status BankImport::load_at_once(Bank& bank, const std::string& source, const std::string& at,
                                std::span<const BankQuestion> questions, CharacterTally& tally) {
  return guarded(bank.path(), [&]() -> Status {
    Work work(bank, source, questions.size() + 1, tally);
    QDEDUP_TRY(work.begin_if_needed());
    work.record.begin_and_finish(at);
    for (const BankQuestion& question : questions) {
      tally.enter(question.text);
      work.put(question);
    }
    work.commit();
    return {};
  });
}

// One step within the batch. When it fails SQLite may have undone all of the batch by itself, and what was
// written after that would stand alone.
template <class Step>
auto BankImport::in_batch(const Step& step) {
  using Done = typename ResultOf<std::invoke_result_t<Step>>::Type;
  Done done = guarded(work_->bank.path(), [&]() -> Done {
    if (work_->failed) throw SQLite::Exception("the import has failed before");
    QDEDUP_TRY(work_->begin_if_needed());
    if constexpr (std::is_void_v<std::invoke_result_t<Step>>) {
      step();
      return {};
    } else {
      return step();
    }
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
    work_->rows_put += questions.size();
    work_->done(questions.size());
    return outcomes;
  });
}

Result<BankImport::Outcome> BankImport::remove(QuestionId id) {
  return in_batch([&] {
    const Outcome outcome = work_->remove(id);
    work_->done(1);
    return outcome;
  });
}

Status BankImport::keep() {
  return in_batch([&] {
    work_->record.store(work_->rows_stored);
    work_->commit();
  });
}

Status BankImport::finish(const std::string& finished_at) {
  return in_batch([&] {
    work_->record.finish(work_->rows_put, finished_at);
    work_->commit();
  });
}

}  // namespace qdedup::db
