#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/bank_import.h"
#include "db/classes.h"
#include "db/deletions.h"
#include "db/fingerprints.h"
#include "db/store.h"
#include "iteration/iteration.h"
#include "iteration/mining.h"
#include "iteration/sweep.h"
#include "logs/files.h"
#include "tests/support/stopped_clock.h"
#include "tests/support/temporary_folder.h"

namespace qdedup {

template <class Value>
Value must(Result<Value> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

inline void must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.error().message);
}

// What the import of these questions counts.
inline db::CharacterSums characters_of(const std::vector<db::BankQuestion>& questions) {
  db::CharacterTally characters;
  for (const db::BankQuestion& question : questions) characters.enter(question.text);
  return characters.take();
}

inline void put_questions(db::Bank& bank, const std::map<QuestionId, std::string>& questions) {
  db::BankImport loading = must(db::BankImport::begin(bank, "test", "", 1000));
  std::vector<db::BankQuestion> rows;
  for (const auto& [id, text] : questions) rows.push_back(db::bank_question(id, text, std::nullopt));
  must(loading.put_all(rows, characters_of(rows)));
  must(loading.finish(""));
}

// A state in a folder of its own, for tests that mine and iterate for real.
class SampleState {
 public:
  SampleState()
      : writer(must(db::StoreWriter::open(state))),
        store(must(db::Store::open(state, db::Access::read_only))),
        bank(must(db::Bank::open(state, db::Access::read_write))) {}

  void put(const std::map<QuestionId, std::string>& questions) { put_questions(bank, questions); }

  void remove(QuestionId id) {
    db::BankImport loading = must(db::BankImport::begin(bank, "test", "", 1000));
    must(loading.remove(id));
    must(loading.finish(""));
  }

  iteration::MiningReport mine(const std::vector<std::string>& logs) {
    return must(iteration::mine_logs(writer, logs, files, settings, clock, no_progress));
  }

  std::optional<db::IterationRecord> iterate() {
    return must(iteration::run_iteration({store, writer, bank, settings, clock, no_progress}));
  }

  std::optional<db::IterationRecord> sweep(const iteration::SweepLimits& limits = {}) {
    return must(iteration::run_sweep({store, writer, bank, settings, clock, no_progress}, limits));
  }

  std::optional<db::IterationRecord> near_sweep(std::unique_ptr<finder::NearFinder> near_finder,
                                                const iteration::SweepLimits& limits = {}) {
    return must(iteration::run_near_sweep({store, writer, bank, settings, clock, no_progress},
                                          std::move(near_finder), limits))
        .iteration;
  }

  std::vector<db::DeletionRow> deletions(const db::DeletionFilter& filter) {
    std::vector<db::DeletionRow> rows;
    db::DeletionCursor cursor = must(db::Deletions(store).select(filter));
    while (auto row = must(cursor.next())) rows.push_back(*std::move(row));
    return rows;
  }

  // Question -> the representative of its class.
  std::map<QuestionId, QuestionId> representatives() {
    std::map<QuestionId, QuestionId> all;
    db::ClassCursor cursor = must(db::Classes(store).members(db::ClassOrder::representative));
    while (const auto row = must(cursor.next())) all[row->question] = row->representative;
    return all;
  }

  TemporaryFolder folder;
  db::StateFolder state{folder.path().string()};
  logs::Files files;
  config::Settings settings;
  StoppedClock clock;
  db::StoreWriter writer;
  db::Store store;  // reads
  db::Bank bank;
};

}  // namespace qdedup
