#include "db/history.h"

#include <array>
#include <utility>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// Queries for ids of deletions.
constexpr std::array<Check, 5> history_checks = {{
    {"audit-broken",
     "SELECT deletion_id FROM (SELECT deletion_id, old_status, lag(new_status, 1, 'pending') OVER "
     "(PARTITION BY deletion_id ORDER BY id) AS before FROM decision) WHERE old_status <> before"},
    {"audit-incomplete",
     "SELECT d.id FROM deletion d WHERE d.status <> coalesce((SELECT new_status FROM decision "
     "WHERE deletion_id = d.id ORDER BY id DESC LIMIT 1), 'pending')"},
    {"repointing-broken",
     "SELECT deletion_id FROM (SELECT deletion_id, old_keep_id, new_keep_id, "
     "lag(new_keep_id, 1, old_keep_id) OVER turns AS before, "
     "lead(old_keep_id, 1, (SELECT keep_id FROM deletion WHERE id = deletion_id)) OVER turns AS after "
     "FROM repointing WINDOW turns AS (PARTITION BY deletion_id ORDER BY id)) "
     "WHERE old_keep_id <> before OR new_keep_id <> after OR new_keep_id >= old_keep_id"},
    {"held-approved",
     "SELECT d.id FROM deletion d JOIN iteration i ON i.id = d.iteration_id "
     "WHERE i.withheld AND d.status IN ('approved', 'applied')"},
    {"rejected-listed",
     "SELECT o.id FROM deletion r JOIN deletion o USING (question_id, keep_id, question_hash, keep_hash) "
     "WHERE r.status = 'rejected' AND o." QDEDUP_OPEN},
}};

}  // namespace

Breach breach_of_pair(std::string_view kind, QuestionId question, QuestionId keeper) {
  return {std::string(kind), 0, question, keeper,
          std::to_string(question) + " with " + std::to_string(keeper)};
}

Result<std::vector<Breach>> breaches_of(Store& store, std::span<const Check> checks, const std::string& begin,
                                        const std::string& end) {
  return guarded(store.path(), [&] {
    std::vector<Breach> breaches;
    for (const Check& check : checks) {
      SQLite::Statement rows(store.database(), std::string(begin).append(check.query).append(end));
      while (rows.executeStep()) {
        breaches.push_back(
            breach_of_pair(check.kind, rows.getColumn(1).getInt64(), rows.getColumn(2).getInt64()));
        breaches.back().deletion_id = rows.getColumn(0).getInt64();
        if (breaches.back().deletion_id != 0) breaches.back().detail.clear();
      }
    }
    return breaches;
  });
}

Result<std::vector<std::string>> History::damage() {
  return guarded(store_.path(), [&] {
    std::vector<std::string> damage;
    SQLite::Statement integrity(store_.database(), "PRAGMA integrity_check");
    while (integrity.executeStep()) {
      if (std::string found = integrity.getColumn(0).getString(); found != "ok")
        damage.push_back(std::move(found));
    }
    SQLite::Statement references(store_.database(), "PRAGMA foreign_key_check");
    while (references.executeStep()) {
      damage.push_back("row " + references.getColumn(1).getString() + " of " +
                       references.getColumn(0).getString() + " has no row in " +
                       references.getColumn(2).getString());
    }
    return damage;
  });
}

Result<std::vector<Breach>> History::breaches() {
  return breaches_of(store_, history_checks, "SELECT id, question_id, keep_id FROM deletion WHERE id IN (",
                     ") ORDER BY id");
}

}  // namespace qdedup::db
