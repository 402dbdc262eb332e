#include "db/bank_reading.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "db/database.h"
#include "db/sketches.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// A look-up costs about as much as stepping over this many rows.
constexpr std::uint64_t rows_per_look_up = 6;

// Also where the runs were dropped.
constexpr std::string_view newest_run =
    "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sketch_run'), 0)";

// Passes on columns 1 and 2 of `row`.
void hand_on(SQLite::Statement& row, std::size_t position, const TakeText& take) {
  const SQLite::Column answer = row.getColumn(2);
  take(position, text_view(row.getColumn(1)),
       answer.isNull() ? std::nullopt : std::optional(text_view(answer)));
}

void look_up(SQLite::Database& database, std::span<const QuestionId> ids, const TakeText& take) {
  SQLite::Statement row(database, "SELECT id, text, answer FROM question WHERE id = ?");
  for (std::size_t position = 0; position < ids.size(); ++position) {
    bind_all(row, ids[position]);
    if (row.executeStep()) hand_on(row, position, take);
  }
}

void scan(SQLite::Database& database, std::span<const QuestionId> ids, const TakeText& take) {
  SQLite::Statement rows(database,
                         "SELECT id, text, answer FROM question WHERE id BETWEEN ? AND ? ORDER BY id");
  bind_all(rows, ids.front(), ids.back());
  std::size_t position = 0;
  while (rows.executeStep()) {
    const QuestionId id = rows.getColumn(0).getInt64();
    while (position < ids.size() && ids[position] < id) ++position;
    if (position == ids.size()) break;
    if (ids[position] == id) hand_on(rows, position, take);
  }
}

// Whether at least every sixth row is wanted. Estimates that from samples of `ids`, so the bank need not be
// counted.
bool are_dense(SQLite::Database& database, std::span<const QuestionId> ids) {
  constexpr std::size_t tried = 64;
  SQLite::Statement rows(database,
                         "SELECT count(*) FROM (SELECT 1 FROM question WHERE id BETWEEN ? AND ? LIMIT ?)");
  const std::size_t step = std::max<std::size_t>(ids.size() / tried, 1);
  std::uint64_t wanted = 0;
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i + 1 < ids.size(); i += step) {
    bind_all(rows, ids[i], ids[i + 1], 4 * rows_per_look_up);
    rows.executeStep();
    passed += loaded(rows.getColumn(0));
    ++wanted;
  }
  return passed < wanted * (rows_per_look_up + 1);
}

}  // namespace

Status scan_questions(Bank& bank, const std::function<Status(const ScannedQuestion&)>& take) {
  return guarded(bank.path(), [&]() -> Status {
    SQLite::Statement rows(bank.database(),
                           "SELECT id, signs, text FROM question WHERE text <> '' ORDER BY id");
    while (rows.executeStep()) {
      QDEDUP_TRY(
          take({rows.getColumn(0).getInt64(), loaded(rows.getColumn(1)), text_view(rows.getColumn(2))}));
    }
    return {};
  });
}

Status scan_fingerprints(Bank& bank, const std::function<void(std::uint64_t sign_fingerprint)>& take) {
  return guarded(bank.path(), [&] {
    SQLite::Statement rows(bank.database(), "SELECT signs FROM question WHERE text <> ''");
    while (rows.executeStep()) take(loaded(rows.getColumn(0)));
  });
}

Status read_texts(Bank& bank, std::span<const QuestionId> ids, const TakeText& take) {
  if (ids.empty()) return {};
  return guarded(bank.path(), [&] {
    SQLite::Database& database = bank.database();
    const SQLite::Transaction one_moment(database);
    are_dense(database, ids) ? scan(database, ids, take) : look_up(database, ids, take);
  });
}

Result<std::int64_t> newest_change(Bank& bank) {
  return guarded(bank.path(),
                 [&] { return bank.database().execAndGet("SELECT " + std::string(newest_run)).getInt64(); });
}

Result<std::optional<std::vector<QuestionId>>> changed_since(Bank& bank, std::int64_t change,
                                                             std::size_t most) {
  using Changed = std::optional<std::vector<QuestionId>>;
  return guarded(bank.path(), [&]() -> Result<Changed> {
    // Numbers have no gaps, so some runs were dropped (refresh_texts) if the first is a later one.
    SQLite::Statement gap(bank.database(), "SELECT coalesce(min(id), " + std::string(newest_run) +
                                               " + 1) > ? + 1 FROM sketch_run");
    bind_all(gap, change);
    if (gap.executeStep() && gap.getColumn(0).getInt() != 0) return Changed();
    SQLite::Statement runs(bank.database(),
                           "SELECT sketches, entries FROM sketch_run WHERE id > ? ORDER BY id");
    bind_all(runs, change);
    std::vector<QuestionId> ids;
    std::vector<SketchEntry> entries;
    while (runs.executeStep()) {
      if (ids.size() + static_cast<std::size_t>(runs.getColumn(1).getInt64()) > most) return Changed();
      if (Status decoded = decode_sketches(blob_view(runs.getColumn(0)), entries); !decoded.ok()) {
        return std::move(decoded).error().within(bank.path());
      }
      for (const SketchEntry& entry : entries) ids.push_back(entry.id);
    }
    return Changed(std::move(ids));
  });
}

Status with_readers(Bank& bank, unsigned threads,
                    const std::function<Status(Bank& reader, bool tells)>& read) {
  threads = std::min(threads, max_readers);
  std::vector<Bank> others;
  for (unsigned thread = 1; thread < threads; ++thread) {
    QDEDUP_ASSIGN_OR_RETURN(Bank reader, bank.reader());
    others.push_back(std::move(reader));
  }
  std::vector<Status> outcomes(others.size() + 1);
  on_threads(outcomes.size(), [&](std::size_t thread) {
    outcomes[thread] = thread == 0 ? read(bank, true) : read(others[thread - 1], false);
  });
  for (Status& outcome : outcomes) {
    if (!outcome.ok()) return std::move(outcome);
  }
  return {};
}

}  // namespace qdedup::db
