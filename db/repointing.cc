#include "db/repointing.h"

#include "db/connection.h"
#include "db/integer.h"

namespace qdedup::db {
namespace {

class Repointing {
 public:
  Repointing(SQLite::Database& database, const RepointingIteration& iteration)
      : iteration_(iteration),
        history_(database,
                 "INSERT INTO repointing (deletion_id, iteration_id, old_keep_id, new_keep_id) "
                 "SELECT id, ?, keep_id, ? FROM deletion "
                 "WHERE question_id = ? AND status IN ('pending', 'approved', 'applied')"),
        audit_(database,
               "INSERT INTO decision (deletion_id, decided_at, decided_by, old_status, new_status, note) "
               "SELECT id, ?, ?, status, ?, 're-pointed' FROM deletion "
               "WHERE question_id = ? AND status = 'approved'"),
        update_(database,
                "UPDATE deletion SET keep_id = ?, distance = ?, length = ?, confidence = ?, reasons = ?, "
                "question_hash = ?, keep_hash = ?, "
                "status = CASE status WHEN 'approved' THEN ? ELSE status END "
                "WHERE question_id = ? AND status IN ('pending', 'approved', 'applied')") {}

  void repoint(const refine::AnnotatedDeletion& deletion) {
    const bool stays_approved = iteration_.approves_safe && deletion.confidence == "safe";
    const std::string approved_becomes = stays_approved ? "approved" : "pending";
    record_keeper(deletion);
    record_decision(deletion, stays_approved ? "policy" : "qdedup", approved_becomes);
    update(deletion, approved_becomes);
  }

 private:
  void record_keeper(const refine::AnnotatedDeletion& deletion) {
    history_.bind(1, iteration_.id);
    history_.bind(2, deletion.keeper);
    history_.bind(3, deletion.question);
    history_.exec();
    history_.reset();
  }

  void record_decision(const refine::AnnotatedDeletion& deletion, const std::string& by,
                       const std::string& status) {
    audit_.bind(1, iteration_.at);
    audit_.bind(2, by);
    audit_.bind(3, status);
    audit_.bind(4, deletion.question);
    audit_.exec();
    audit_.reset();
  }

  void update(const refine::AnnotatedDeletion& deletion, const std::string& approved_becomes) {
    update_.bind(1, deletion.keeper);
    update_.bind(2, stored(deletion.distance));
    update_.bind(3, stored(deletion.length));
    update_.bind(4, deletion.confidence);
    update_.bind(5, deletion.reasons);
    update_.bind(6, stored(deletion.question_hash));
    update_.bind(7, stored(deletion.keep_hash));
    update_.bind(8, approved_becomes);
    update_.bind(9, deletion.question);
    update_.exec();
    update_.reset();
  }

  const RepointingIteration& iteration_;
  SQLite::Statement history_;
  SQLite::Statement audit_;
  SQLite::Statement update_;
};

}  // namespace

void repoint(SQLite::Database& database, const RepointingIteration& iteration,
             std::span<const refine::AnnotatedDeletion> repointed) {
  Repointing repointing(database, iteration);
  for (const refine::AnnotatedDeletion& deletion : repointed) repointing.repoint(deletion);
}

}  // namespace qdedup::db
