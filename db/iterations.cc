#include "db/iterations.h"

#include <utility>

#include "db/database.h"
#include "db/deletion_tallies.h"
#include "db/statement.h"

namespace qdedup::db {

namespace {

// Gives the open deletions of some questions other keepers. An approval applied to the pair with the old
// keeper, so the deletion becomes pending again, unless the iteration's policy approves the new pair. An
// applied deletion stays applied. The changes of keeper and status are both recorded.
class Repointing {
 public:
  Repointing(SQLite::Database& database, std::int64_t iteration, const IterationDraft& draft,
             TallyUpdate& tallies)
      : iteration_(iteration),
        at_(draft.record.finished_at),
        policy_(draft.policy),
        tallies_(tallies),
        find_(database, "SELECT " + std::string(deletion_columns) +
                            " FROM deletion WHERE question_id = ? AND " QDEDUP_OPEN),
        history_(database,
                 "INSERT INTO repointing (deletion_id, iteration_id, old_keep_id, new_keep_id) "
                 "VALUES (?, ?, ?, ?)"),
        audit_(database,
               "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status, note) "
               "VALUES (?, ?, ?, ?, ?, 're-pointed')"),
        update_(database,
                "UPDATE deletion SET keep_id = ?, distance = ?, length = ?, by_sets = ?, confidence = ?, "
                "reasons = ?, risk = ?, question_hash = ?, keep_hash = ?, status = ? WHERE id = ?") {}

  void repoint(const refine::AnnotatedDeletion& deletion) {
    bind_all(find_, deletion.question);
    if (!find_.executeStep()) return;
    const DeletionRow before = deletion_row(find_);
    find_.reset();
    run(history_, before.id, iteration_, before.keeper, deletion.keeper);
    DeletionStatus status = before.status;
    if (before.status == DeletionStatus::approved) {
      const bool stays_approved = policy_.approves(deletion.confidence, deletion.reasons, deletion.risk);
      if (!stays_approved) status = DeletionStatus::pending;
      run(audit_, before.id, at_, std::string_view(stays_approved ? "policy" : "qdedup"), before.status,
          status);
    }
    run(update_, deletion.keeper, deletion.distance, deletion.length, deletion.by_sets, deletion.confidence,
        deletion.reasons.text(), deletion.risk, deletion.question_hash, deletion.keep_hash, status,
        before.id);
    tallies_.change(before, status, deletion);
  }

 private:
  std::int64_t iteration_;
  const std::string& at_;
  const refine::ApprovalPolicy& policy_;
  TallyUpdate& tallies_;
  SQLite::Statement find_;
  SQLite::Statement history_;
  SQLite::Statement audit_;
  SQLite::Statement update_;
};

std::int64_t add_iteration(SQLite::Database& database, const IterationRecord& record) {
  std::string columns = "kind, started_at, finished_at, version, settings, weights, withheld";
  std::string values = "?, ?, ?, ?, ?, ?, ?";
  for (const CountColumn& column : count_columns) {
    columns += std::string(", ") + column.name;
    values += ", ?";
  }
  SQLite::Statement insert(database, "INSERT INTO iteration (" + columns + ") VALUES (" + values + ")");
  int index = 0;
  for (const std::string* text : {&record.kind, &record.started_at, &record.finished_at, &record.version,
                                  &record.settings, &record.weights}) {
    bind_value(insert, ++index, *text);
  }
  bind_value(insert, ++index, record.withheld);
  for (const CountColumn& column : count_columns) bind_value(insert, ++index, record.counts.*column.field);
  insert.exec();
  return database.getLastInsertRowid();
}

void add_cluster_sizes(SQLite::Database& database, std::int64_t iteration,
                       const std::map<std::uint64_t, std::uint64_t>& sizes) {
  SQLite::Statement insert(database,
                           "INSERT INTO cluster_size (iteration_id, size, clusters) VALUES (?, ?, ?)");
  for (const auto& [size, clusters] : sizes) {
    run(insert, iteration, size, clusters);
  }
}

// Each with the status that the policy gives it. The audit has what it approves.
void list(SQLite::Database& database, std::int64_t iteration, const IterationDraft& draft,
          TallyUpdate& tallies) {
  SQLite::Statement insert(
      database,
      "INSERT INTO deletion (iteration_id, question_id, keep_id, distance, length, by_sets, "
      "confidence, reasons, risk, status, question_hash, keep_hash) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  SQLite::Statement audit(
      database,
      "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status) "
      "VALUES (last_insert_rowid(), ?, 'policy', 'pending', 'approved')");
  for (const refine::AnnotatedDeletion& deletion : draft.outcome.deletions) {
    const bool approved = draft.policy.approves(deletion.confidence, deletion.reasons, deletion.risk);
    const DeletionStatus status = approved ? DeletionStatus::approved : DeletionStatus::pending;
    run(insert, iteration, deletion.question, deletion.keeper, deletion.distance, deletion.length,
        deletion.by_sets, deletion.confidence, deletion.reasons.text(), deletion.risk, status,
        deletion.question_hash, deletion.keep_hash);
    if (approved) run(audit, draft.record.finished_at);
    tallies.list(iteration, status, deletion);
  }
}

// A listed question's only pair is with its keeper, unless it has others in `further`, or had some before.
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

// Settles all questions whose pairs changed, each with the most important reason.
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
  ClassUpdater(database, draft.arrival_of).settle_all(std::move(unsettled));
}

// Does nothing if it was added before.
void add_slot(SQLite::Database& database, std::chrono::sys_seconds slot, const std::string& recorded_at) {
  run(database, "INSERT OR IGNORE INTO slot (at, recorded_at) VALUES (?, ?)", slot.time_since_epoch().count(),
      recorded_at);
}

void consume(SQLite::Database& database, std::int64_t iteration, std::int64_t last_evidence_id,
             std::uint64_t kept_iterations) {
  run(database, "UPDATE evidence SET iteration_id = ? WHERE iteration_id IS NULL AND id <= ?", iteration,
      last_evidence_id);
  run(database,
      "UPDATE evidence SET lists = NULL "
      "WHERE iteration_id IS NOT NULL AND lists IS NOT NULL AND iteration_id <= ?",
      iteration - stored(kept_iterations));
}

std::string select_iterations() {
  std::string columns =
      "id, kind, started_at, finished_at, version, settings, weights, withheld, released_at, "
      "released_by";
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
  record.weights = row.getColumn(6).getString();
  record.withheld = row.getColumn(7).getInt() != 0;
  record.released_at = row.getColumn(8).getString();
  record.released_by = row.getColumn(9).getString();
  int index = 10;
  for (const CountColumn& column : count_columns) {
    record.counts.*column.field = loaded(row.getColumn(index++));
  }
  SQLite::Statement sizes(database, "SELECT size, clusters FROM cluster_size WHERE iteration_id = ?");
  bind_all(sizes, record.id);
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
    TallyUpdate tallies;
    Repointing repointing(database, id, draft, tallies);
    for (const refine::AnnotatedDeletion& deletion : draft.outcome.repointed) repointing.repoint(deletion);
    list(database, id, draft, tallies);
    lose_pairs(database, draft.lost);
    add_pairs(database, id, draft.outcome.further);
    settle_classes(database, draft, std::move(withdrawn));
    tallies.store(database);
    run(database, "DELETE FROM reopened WHERE id <= ?", draft.last_reopened_id);
    consume(database, id, draft.last_evidence_id, kept_iterations);
    add_lake_logs(database, id, draft.lake_logs);
    remove_lake_questions(database, draft.gone_lake_questions);
    put_lake_questions(database, draft.lake_questions);
    if (draft.bank) remember(database, *draft.bank);
    if (draft.slot) add_slot(database, *draft.slot, draft.record.finished_at);
    transaction.commit();
    return id;
  });
}

Result<std::vector<IterationRecord>> Iterations::all() {
  const auto record = [this](SQLite::Statement& row) { return iteration_record(store_.database(), row); };
  return all_rows(store_, record, select_iterations() + " ORDER BY id");
}

Result<bool> Iterations::release(std::int64_t id, const std::string& by, const std::string& at) {
  return guarded(store_.path(), [&] {
    return run(store_.database(),
               "UPDATE iteration SET withheld = 0, released_at = ?, released_by = ? "
               "WHERE id = ? AND withheld = 1",
               at, by, id) > 0;
  });
}

Result<std::vector<std::int64_t>> Iterations::withheld() {
  return all_rows(store_, first_number, "SELECT id FROM iteration WHERE withheld = 1 ORDER BY id");
}

Result<std::optional<IterationRecord>> Iterations::find(std::optional<std::int64_t> id) {
  const auto record = [this](SQLite::Statement& row) { return iteration_record(store_.database(), row); };
  if (id) return first_row(store_, record, select_iterations() + " WHERE id = ?", *id);
  return first_row(store_, record, select_iterations() + " ORDER BY id DESC LIMIT 1");
}

Result<IterationRecord> Iterations::existing(std::int64_t id) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<IterationRecord> found, find(id));
  if (found) return *std::move(found);
  return Error{ErrorCode::no_input, "there is no iteration " + std::to_string(id)};
}

Result<std::vector<std::chrono::sys_seconds>> Slots::recorded() {
  const auto slot = [](SQLite::Statement& row) {
    return std::chrono::sys_seconds(std::chrono::seconds(first_number(row)));
  };
  return all_rows(store_, slot, "SELECT at FROM slot ORDER BY at");
}

Status Slots::record(std::chrono::sys_seconds slot, const std::string& recorded_at) {
  return guarded(store_.path(), [&] { add_slot(store_.database(), slot, recorded_at); });
}

}  // namespace qdedup::db
