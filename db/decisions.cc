#include "db/decisions.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/question_id.h"
#include "base/user_name.h"
#include "db/class_updater.h"
#include "db/database.h"
#include "db/deletion_tallies.h"
#include "db/statement.h"
#include "refine/parts.h"

namespace qdedup::db {
namespace {

constexpr std::array<std::string_view, decision_kinds> decision_names = {"approve", "reject", "reset",
                                                                         "apply"};

struct Decided {
  DeletionRow row;
  bool withheld = false;
};

using Refusal = DecisionReport::Refusal;

Refusal refusal_for(const std::string& reason) { return {.kind = reason, .reason = reason}; }

// Why the deletion is no longer the one that was decided on; none if it still is.
std::optional<Refusal> why_not_as_seen(const DeletionRow& deletion, const SeenDeletion& seen) {
  if (deletion.keeper != seen.keeper) {
    return Refusal{.kind = "its keeper is another one by now",
                   .reason = "its keeper is " + std::to_string(deletion.keeper) + " by now"};
  }
  if (deletion.status != seen.status)
    return refusal_for("is " + std::string(name(deletion.status)) + " by now");
  if (deletion.question_hash == seen.question_hash && deletion.keep_hash == seen.keep_hash) {
    return std::nullopt;
  }
  return refusal_for("was compared with another text by now");
}

// The indexes of deletions that a change of the status goes through.
class StatusIndexes {
 public:
  explicit StatusIndexes(SQLite::Database& database) : database_(database) {}

  void drop() {
    SQLite::Statement rows(database_,
                           "SELECT name, sql FROM sqlite_schema "
                           "WHERE type = 'index' AND tbl_name = 'deletion' AND sql LIKE '%status%'");
    std::vector<std::string> names;
    while (rows.executeStep()) {
      names.push_back(rows.getColumn(0).getString());
      definitions_.push_back(rows.getColumn(1).getString());
    }
    for (const std::string& name : names) database_.exec("DROP INDEX " + name);
  }

  // Those that were dropped.
  void make_anew() {
    for (const std::string& definition : definitions_) database_.exec(definition);
  }

 private:
  SQLite::Database& database_;
  std::vector<std::string> definitions_;
};

// Whether so many rows change that making the indexes anew costs less than keeping them up. To reset, they
// are needed meanwhile.
bool goes_without_indexes(SQLite::Database& database, std::span<const DecisionRequest> requests) {
  constexpr std::size_t least = 1000;
  if (requests.size() < least) return false;
  const auto last_row = loaded(database.execAndGet("SELECT max(id) FROM deletion"));
  const auto is_reset = [](const DecisionRequest& request) { return request.decision == Decision::reset; };
  return requests.size() > last_row / 4 && std::ranges::none_of(requests, is_reset);
}

// Carries out requests within a transaction.
class DecisionTransaction {
 public:
  DecisionTransaction(SQLite::Database& database, const Decider& decider)
      : database_(database),
        decider_(decider),
        find_(database,
              "SELECT " + std::string(deletion_columns) +
                  ", (SELECT withheld FROM iteration WHERE iteration.id = iteration_id) FROM deletion "
                  "WHERE id = ?"),
        open_of_question_(database,
                          "SELECT keep_id FROM deletion "
                          "WHERE question_id = ? AND " QDEDUP_OPEN),
        open_of_keeper_(database,
                        "SELECT question_id FROM deletion "
                        "WHERE keep_id = ? AND " QDEDUP_OPEN " LIMIT 1"),
        settling_(database),
        audit_(
            database,
            "INSERT INTO decision (deletion_id, decided_at, decided_by, given_name, old_status, new_status, "
            "note, one_by_one, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        update_(database, "UPDATE deletion SET status = ?, note = ? WHERE id = ?"),
        keep_text_(
            database,
            "INSERT OR REPLACE INTO decided_text (question_id, hash, text, answer) VALUES (?, ?, ?, ?)") {}

  void take(std::size_t position, const DecisionRequest& request, DecisionReport& report) {
    const auto refuse = [&](Refusal refusal) {
      refusal.request = position;
      report.refused.push_back(std::move(refusal));
    };
    const std::optional<Decided> found = find(request.deletion_id);
    if (!found) return refuse(refusal_for("there is no such deletion"));
    const DeletionRow& deletion = found->row;
    if (request.seen) {
      if (auto changed = why_not_as_seen(deletion, *request.seen)) return refuse(*std::move(changed));
    }
    const std::optional<DeletionStatus> status = outcome(request.decision, deletion.status);
    if (!status) return refuse(refusal_for("is " + std::string(name(deletion.status))));
    const bool changes = *status != deletion.status;
    if (changes && *status == DeletionStatus::approved && found->withheld) {
      return refuse(refusal_for("iteration " + std::to_string(deletion.iteration) +
                                " is held; see `qdedup review release`"));
    }
    if (changes && deletion.status == DeletionStatus::rejected) {
      if (auto obstacle = why_not_open(deletion)) return refuse(*std::move(obstacle));
    }
    if (!changes && (request.note.empty() || request.note == deletion.note)) {
      ++report.unchanged;
      return;
    }
    record(request, deletion, *status);
    ++report.changed[static_cast<std::size_t>(request.decision)];
  }

  // To be called after the last one.
  void store_tallies() const { tallies_.store(database_); }

 private:
  std::optional<Decided> find(std::int64_t id) {
    bind_all(find_, id);
    if (!find_.executeStep()) return std::nullopt;
    return Decided{deletion_row(find_), find_.getColumn(deletion_column_count).getInt() != 0};
  }

  static std::optional<QuestionId> first(SQLite::Statement& query, QuestionId id) {
    bind_all(query, id);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getInt64();
  }

  // Why a rejected deletion cannot be reopened; none if it can.
  std::optional<Refusal> why_not_open(const DeletionRow& deletion) {
    if (const auto keeper = first(open_of_question_, deletion.question)) {
      return Refusal{.kind = "the question is listed in favour of another by now",
                     .reason = "the question is listed in favour of " + std::to_string(*keeper) + " by now"};
    }
    if (first(open_of_question_, deletion.keeper)) {
      return refusal_for("its keeper is listed for deletion itself by now");
    }
    if (const auto dependant = first(open_of_keeper_, deletion.question)) {
      return Refusal{.kind = "another question is listed in its favour by now",
                     .reason = "question " + std::to_string(*dependant) + " is listed in its favour by now"};
    }
    return std::nullopt;
  }

  void record(const DecisionRequest& request, const DeletionRow& deletion, DeletionStatus status) {
    run(audit_, request.deletion_id, decider_.at, decider_.user, decider_.given_name, deletion.status, status,
        request.note, request.looked_at ? 1 : 0, request.key);
    const std::int64_t decision = database_.getLastInsertRowid();
    const bool keeps_note = request.decision == Decision::apply && request.note.empty();
    run(update_, status, keeps_note ? deletion.note : request.note, request.deletion_id);
    if (request.looked_at) {
      keep_text(request.looked_at->question, deletion.question_hash);
      keep_text(request.looked_at->keeper, deletion.keep_hash);
    }
    tallies_.change(deletion, status);
    if (is_open(status) != is_open(deletion.status)) {
      settling_.settle({deletion.question, name(request.decision), decision});
    }
  }

  // Unless it is another one by now.
  void keep_text(const std::optional<BankQuestion>& seen, std::uint64_t compared) {
    if (seen && refine::text_hash(seen->text) == compared)
      run(keep_text_, seen->id, compared, seen->text, seen->answer);
  }

  SQLite::Database& database_;
  const Decider& decider_;
  SQLite::Statement find_;
  SQLite::Statement open_of_question_;
  SQLite::Statement open_of_keeper_;
  ClassUpdater settling_;
  TallyUpdate tallies_;
  SQLite::Statement audit_;
  SQLite::Statement update_;
  SQLite::Statement keep_text_;
};

}  // namespace

SeenDeletion seen(const DeletionRow& row) {
  return {row.keeper, row.status, row.question_hash, row.keep_hash};
}

std::string display_name(std::string_view user, std::string_view given_name) {
  const bool is_user = given_name == user || signed_in_user(given_name) == user;
  if (given_name.empty() || is_user) return std::string(user);
  return std::string(given_name) + " (as " + std::string(user) + ")";
}

std::string display_name(const Decider& decider) { return display_name(decider.user, decider.given_name); }

std::string_view name(Decision decision) { return decision_names.at(static_cast<std::size_t>(decision)); }

std::optional<DeletionStatus> outcome(Decision decision, DeletionStatus status) {
  const bool pending = status == DeletionStatus::pending;
  const bool approved = status == DeletionStatus::approved;
  const bool rejected = status == DeletionStatus::rejected;
  const bool applied = status == DeletionStatus::applied;
  const auto becomes = [](bool allowed, DeletionStatus next) {
    return allowed ? std::optional(next) : std::nullopt;
  };
  switch (decision) {
    case Decision::approve:
      return applied ? status : becomes(pending || approved, DeletionStatus::approved);
    case Decision::reject:
      return becomes(pending || approved || rejected, DeletionStatus::rejected);
    case Decision::reset:
      return becomes(status != DeletionStatus::withdrawn, DeletionStatus::pending);
    case Decision::apply:
      return becomes(approved || applied, DeletionStatus::applied);
  }
  return std::nullopt;
}

std::uint64_t DecisionReport::changed_total() const {
  return std::accumulate(changed.begin(), changed.end(), std::uint64_t{0});
}

Result<DecisionReport> Decisions::take(std::span<const DecisionRequest> requests, const Decider& decider,
                                       OnRefusal on_refusal, bool trial) {
  return guarded(store_.path(), [&] {
    DecisionReport report;
    const LargeCache cache(store_.database());
    SQLite::Transaction transaction(store_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    StatusIndexes indexes(store_.database());
    if (goes_without_indexes(store_.database(), requests)) indexes.drop();
    {
      DecisionTransaction decisions(store_.database(), decider);
      for (std::size_t i = 0; i < requests.size(); ++i) decisions.take(i, requests[i], report);
      decisions.store_tallies();
    }
    const bool kept = report.refused.empty() || on_refusal == OnRefusal::leave_out;
    if (kept && !trial) {
      indexes.make_anew();
      transaction.commit();
    }
    return report;
  });
}

Result<std::uint64_t> Decisions::count_one_by_one(const Decider& decider, const std::string& since) {
  return guarded(store_.path(), [&] {
    SQLite::Statement rows(
        store_.database(),
        "SELECT decided_at, deletion_id, new_status, decided_by = ? AND given_name = ? "
        "FROM decision INDEXED BY decision_one_by_one WHERE one_by_one = 1 ORDER BY id DESC");
    bind_all(rows, decider.user, decider.given_name);
    std::set<std::int64_t> seen;
    std::uint64_t decided = 0;
    while (rows.executeStep() && rows.getColumn(0).getString() >= since) {
      if (rows.getColumn(3).getInt() == 0 || !seen.insert(rows.getColumn(1).getInt64()).second) continue;
      if (rows.getColumn(2).getString() != name(DeletionStatus::pending)) ++decided;
    }
    return decided;
  });
}

Result<std::vector<DecidedWork>> Decisions::work() {
  const auto work_of = [](SQLite::Statement& row) {
    return DecidedWork{display_name(row.getColumn(0).getString(), row.getColumn(1).getString()),
                       loaded(row.getColumn(2)), loaded(row.getColumn(3)), row.getColumn(4).getString()};
  };
  return all_rows(
      store_, work_of,
      "SELECT decided_by, given_name, sum(new_status = 'approved'), sum(new_status = 'rejected'), "
      "max(decided_at) FROM decision WHERE id IN "
      "(SELECT max(id) FROM decision INDEXED BY decision_one_by_one WHERE one_by_one = 1 "
      "GROUP BY deletion_id, decided_by, given_name) GROUP BY decided_by, given_name ORDER BY 1, 2");
}

Result<bool> Decisions::has(std::int64_t deletion_id, const Decider& decider, const std::string& key) {
  return guarded(store_.path(), [&] {
    SQLite::Statement row(store_.database(),
                          "SELECT 1 FROM decision "
                          "WHERE deletion_id = ? AND decided_by = ? AND given_name = ? AND key = ?");
    return is_any(row, deletion_id, decider.user, decider.given_name, key);
  });
}

Result<std::optional<Decider>> Decisions::last_decider(std::int64_t deletion_id) {
  const auto decider_of = [](SQLite::Statement& row) {
    return Decider{row.getColumn(0).getString(), row.getColumn(1).getString(), row.getColumn(2).getString()};
  };
  return first_row(store_, decider_of,
                   "SELECT decided_by, decided_at, given_name FROM decision "
                   "WHERE deletion_id = ? ORDER BY id DESC LIMIT 1",
                   deletion_id);
}

Result<std::vector<std::int64_t>> Decisions::decided_one_by_one(std::int64_t after) {
  return all_rows(
      store_, first_number,
      "SELECT deletion_id FROM decision JOIN deletion ON deletion.id = deletion_id "
      "WHERE one_by_one = 1 AND decision.id > ? AND decision.new_status IN ('approved', 'rejected') "
      "AND status IN ('approved', 'applied', 'rejected') "
      // A deletion that was applied keeps its status when it gets another keeper.
      "AND NOT (status = 'applied' AND deletion_id IN (SELECT deletion_id FROM repointing)) "
      "AND NOT EXISTS (SELECT 1 FROM decision AS later WHERE later.deletion_id = decision.deletion_id "
      "AND later.id > decision.id AND later.new_status IN ('approved', 'rejected')) "
      "ORDER BY decision.id",
      after);
}

Result<QuestionPair> Decisions::texts_looked_at(const DeletionRow& row) {
  return guarded(store_.path(), [&] {
    SQLite::Statement kept(store_.database(),
                           "SELECT text, answer FROM decided_text WHERE question_id = ? AND hash = ?");
    const auto find = [&kept](QuestionId id, std::uint64_t hash) -> std::optional<BankQuestion> {
      bind_all(kept, id, hash);
      if (!kept.executeStep()) return std::nullopt;
      BankQuestion question;
      question.id = id;
      question.text = kept.getColumn(0).getString();
      question.answer = optional_text(kept.getColumn(1));
      return question;
    };
    return QuestionPair{find(row.question, row.question_hash), find(row.keeper, row.keep_hash)};
  });
}

Status Decisions::withdraw(std::span<const Withdrawal> withdrawals, std::span<const ReopenedPair> reopened,
                           const std::string& at) {
  return guarded(store_.path(), [&] {
    SQLite::Transaction transaction(store_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<UnsettledQuestion> unsettled = db::withdraw(store_.database(), withdrawals, at);
    ClassUpdater(store_.database()).settle_all(std::move(unsettled));
    SQLite::Statement insert(store_.database(), "INSERT INTO reopened (question_id, keep_id) VALUES (?, ?)");
    for (const ReopenedPair& pair : reopened) {
      run(insert, pair.question, pair.keeper);
    }
    transaction.commit();
  });
}

std::vector<UnsettledQuestion> withdraw(SQLite::Database& database, std::span<const Withdrawal> withdrawals,
                                        const std::string& now) {
  SQLite::Statement find(database, "SELECT " + std::string(deletion_columns) + " FROM deletion WHERE id = ?");
  SQLite::Statement audit(
      database,
      "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status, note) "
      "VALUES (?, ?, 'qdedup', ?, 'withdrawn', ?)");
  SQLite::Statement update(database, "UPDATE deletion SET status = 'withdrawn' WHERE id = ?");
  TallyUpdate tallies;
  std::vector<UnsettledQuestion> unsettled;
  unsettled.reserve(withdrawals.size());
  for (const Withdrawal& withdrawal : withdrawals) {
    bind_all(find, withdrawal.deletion_id);
    if (!find.executeStep()) continue;
    const DeletionRow before = deletion_row(find);
    run(audit, before.id, now, before.status, withdrawal.reason);
    unsettled.push_back({before.question, withdrawal.reason, database.getLastInsertRowid()});
    run(update, before.id);
    tallies.change(before, DeletionStatus::withdrawn);
  }
  tallies.store(database);
  return unsettled;
}

}  // namespace qdedup::db
