#include "db/iterations.h"

#include <array>
#include <utility>

#include "db/class_settling.h"
#include "db/connection.h"
#include "db/integer.h"
#include "db/large_cache.h"
#include "db/repointing.h"
#include "db/slot_row.h"

namespace qdedup::db {
namespace {

// The columns of the counts, in the order of the table.
struct CountColumn {
  const char* name;
  std::uint64_t IterationCounts::*field;
};

constexpr std::array<CountColumn, 15> count_columns = {{
    {"lines", &IterationCounts::lines},
    {"selected", &IterationCounts::selected},
    {"unselected", &IterationCounts::unselected},
    {"rejected", &IterationCounts::rejected},
    {"distinct_lists", &IterationCounts::distinct_lists},
    {"ids", &IterationCounts::ids},
    {"joins", &IterationCounts::joins},
    {"refused_joins", &IterationCounts::refused_joins},
    {"clusters", &IterationCounts::clusters},
    {"largest_cluster", &IterationCounts::largest_cluster},
    {"missing", &IterationCounts::missing},
    {"deletions", &IterationCounts::deletions},
    {"repointed", &IterationCounts::repointed},
    {"held", &IterationCounts::held},
    {"withdrawn", &IterationCounts::withdrawn},
}};

std::int64_t add_iteration(SQLite::Database& database, const IterationRecord& record) {
  std::string columns = "kind, started_at, finished_at, version, settings, withheld";
  std::string values = "?, ?, ?, ?, ?, ?";
  for (const CountColumn& column : count_columns) {
    columns += std::string(", ") + column.name;
    values += ", ?";
  }
  SQLite::Statement insert(database, "INSERT INTO iteration (" + columns + ") VALUES (" + values + ")");
  int index = 0;
  for (const std::string* text :
       {&record.kind, &record.started_at, &record.finished_at, &record.version, &record.settings}) {
    insert.bind(++index, *text);
  }
  insert.bind(++index, static_cast<int>(record.withheld));
  for (const CountColumn& column : count_columns) insert.bind(++index, stored(record.counts.*column.field));
  insert.exec();
  return database.getLastInsertRowid();
}

void add_cluster_sizes(SQLite::Database& database, std::int64_t iteration,
                       const std::map<std::uint64_t, std::uint64_t>& sizes) {
  SQLite::Statement insert(database,
                           "INSERT INTO cluster_size (iteration_id, size, clusters) VALUES (?, ?, ?)");
  for (const auto& [size, clusters] : sizes) {
    insert.bind(1, iteration);
    insert.bind(2, stored(size));
    insert.bind(3, stored(clusters));
    insert.exec();
    insert.reset();
  }
}

void list(SQLite::Database& database, std::int64_t iteration,
          const std::vector<refine::AnnotatedDeletion>& deletions) {
  SQLite::Statement insert(
      database,
      "INSERT INTO deletion (iteration_id, question_id, keep_id, distance, length, confidence, "
      "reasons, status, question_hash, keep_hash) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)");
  for (const refine::AnnotatedDeletion& deletion : deletions) {
    insert.bind(1, iteration);
    insert.bind(2, deletion.question);
    insert.bind(3, deletion.keeper);
    insert.bind(4, stored(deletion.distance));
    insert.bind(5, stored(deletion.length));
    insert.bind(6, deletion.confidence);
    insert.bind(7, deletion.reasons);
    insert.bind(8, stored(deletion.question_hash));
    insert.bind(9, stored(deletion.keep_hash));
    insert.exec();
    insert.reset();
  }
}

void approve_safe(SQLite::Database& database, std::int64_t iteration, const std::string& now) {
  SQLite::Statement audit(
      database,
      "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status, note) "
      "SELECT id, ?, 'policy', status, 'approved', '' FROM deletion "
      "WHERE iteration_id = ? AND confidence = 'safe' ORDER BY id");
  audit.bind(1, now);
  audit.bind(2, iteration);
  audit.exec();
  SQLite::Statement update(
      database, "UPDATE deletion SET status = 'approved' WHERE iteration_id = ? AND confidence = 'safe'");
  update.bind(1, iteration);
  update.exec();
}

// What is listed has its keeper for its only pair, unless `further` has some, or it had some before.
void add_listed(const IterationDraft& draft, std::vector<UnsettledQuestion>& unsettled) {
  auto further = draft.outcome.further.begin();
  for (const refine::AnnotatedDeletion& deletion : draft.outcome.deletions) {
    while (further != draft.outcome.further.end() && further->question < deletion.question) ++further;
    const bool has_further = further != draft.outcome.further.end() && further->question == deletion.question;
    unsettled.push_back({.question = deletion.question,
                         .reason = "listed",
                         .only_pair = has_further ? std::nullopt : std::optional(deletion.keeper)});
  }
}

// All whose pairs changed, each for the weightiest reason.
void settle_classes(SQLite::Database& database, const IterationDraft& draft,
                    std::vector<UnsettledQuestion> withdrawn) {
  std::vector<UnsettledQuestion> unsettled;
  unsettled.reserve(draft.outcome.deletions.size() + draft.outcome.repointed.size() + withdrawn.size() +
                    draft.lost.size());
  add_listed(draft, unsettled);
  for (const refine::AnnotatedDeletion& deletion : draft.outcome.repointed)
    unsettled.push_back({deletion.question, "re-pointed"});
  unsettled.insert(unsettled.end(), withdrawn.begin(), withdrawn.end());
  for (const LostPair& pair : draft.lost) unsettled.push_back({pair.question, pair.reason});
  ClassSettling(database).settle_all(std::move(unsettled));
}

void drop_reopened(SQLite::Database& database, std::int64_t last_id) {
  SQLite::Statement drop(database, "DELETE FROM reopened WHERE id <= ?");
  drop.bind(1, last_id);
  drop.exec();
}

void consume(SQLite::Database& database, std::int64_t iteration, std::int64_t last_evidence_id,
             std::uint64_t kept_iterations) {
  SQLite::Statement update(database,
                           "UPDATE evidence SET iteration_id = ? WHERE iteration_id IS NULL AND id <= ?");
  update.bind(1, iteration);
  update.bind(2, last_evidence_id);
  update.exec();
  SQLite::Statement drop(database,
                         "UPDATE evidence SET lists = NULL "
                         "WHERE iteration_id IS NOT NULL AND lists IS NOT NULL AND iteration_id <= ?");
  drop.bind(1, iteration - stored(kept_iterations));
  drop.exec();
}

std::string select_iterations() {
  std::string columns =
      "id, kind, started_at, finished_at, version, settings, withheld, released_at, released_by";
  for (const CountColumn& column : count_columns) columns += std::string(", ") + column.name;
  return "SELECT " + columns + " FROM iteration";
}

IterationRecord iteration_record(SQLite::Database& database, SQLite::Statement& row) {
  IterationRecord record;
  record.id = row.getColumn(0).getInt64();
  record.kind = row.getColumn(1).getString();
  record.started_at = row.getColumn(2).getString();
  record.finished_at = row.getColumn(3).getString();
  record.version = row.getColumn(4).getString();
  record.settings = row.getColumn(5).getString();
  record.withheld = row.getColumn(6).getInt() != 0;
  record.released_at = row.getColumn(7).getString();
  record.released_by = row.getColumn(8).getString();
  int index = 9;
  for (const CountColumn& column : count_columns) {
    record.counts.*column.field = loaded(row.getColumn(index++));
  }
  SQLite::Statement sizes(database, "SELECT size, clusters FROM cluster_size WHERE iteration_id = ?");
  sizes.bind(1, record.id);
  while (sizes.executeStep()) {
    record.cluster_sizes[loaded(sizes.getColumn(0))] = loaded(sizes.getColumn(1));
  }
  return record;
}

}  // namespace

Result<std::int64_t> Iterations::commit(const IterationDraft& draft, std::uint64_t kept_iterations) {
  return guarded(store_.path(), [&] {
    SQLite::Database& database = store_.database();
    const LargeCache cache(database);
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::int64_t id = add_iteration(database, draft.record);
    add_cluster_sizes(database, id, draft.record.cluster_sizes);
    std::vector<UnsettledQuestion> withdrawn = withdraw(database, draft.withdrawn, draft.record.finished_at);
    repoint(database, {id, draft.approve_safe, draft.record.finished_at}, draft.outcome.repointed);
    list(database, id, draft.outcome.deletions);
    lose_pairs(database, draft.lost);
    add_pairs(database, id, draft.outcome.further);
    settle_classes(database, draft, std::move(withdrawn));
    if (draft.approve_safe) approve_safe(database, id, draft.record.finished_at);
    drop_reopened(database, draft.last_reopened_id);
    consume(database, id, draft.last_evidence_id, kept_iterations);
    if (draft.slot) add_slot(database, *draft.slot, draft.record.finished_at);
    transaction.commit();
    return id;
  });
}

Result<std::vector<IterationRecord>> Iterations::all() {
  return guarded(store_.path(), [&] {
    std::vector<IterationRecord> records;
    SQLite::Statement rows(store_.database(), select_iterations() + " ORDER BY id");
    while (rows.executeStep()) records.push_back(iteration_record(store_.database(), rows));
    return records;
  });
}

Result<bool> Iterations::release(std::int64_t id, const std::string& by, const std::string& at) {
  return guarded(store_.path(), [&] {
    SQLite::Statement update(store_.database(),
                             "UPDATE iteration SET withheld = 0, released_at = ?, released_by = ? "
                             "WHERE id = ? AND withheld = 1");
    update.bind(1, at);
    update.bind(2, by);
    update.bind(3, id);
    return update.exec() > 0;
  });
}

Result<std::optional<IterationRecord>> Iterations::find(std::optional<std::int64_t> id) {
  return guarded(store_.path(), [&]() -> std::optional<IterationRecord> {
    SQLite::Statement row(store_.database(),
                          select_iterations() + (id ? " WHERE id = ?" : " ORDER BY id DESC LIMIT 1"));
    if (id) row.bind(1, *id);
    if (!row.executeStep()) return std::nullopt;
    return iteration_record(store_.database(), row);
  });
}

}  // namespace qdedup::db
