#include "db/classes.h"

#include <algorithm>
#include <map>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// A pair is an open deletion, a verified pair or one of an arrival. If the other question of the latter has
// expired, it still says how the question came into the class.
constexpr const char* select_members =
    "SELECT m.question_id, m.representative, coalesce(a.other_id, m.held_by), "
    "coalesce(p.distance, a.distance, d.distance), coalesce(p.length, a.length, d.length), "
    "coalesce(p.by_sets, a.by_sets, d.by_sets), coalesce(p.confidence, a.confidence, d.confidence), "
    "coalesce(p.reasons, a.reasons, d.reasons), coalesce(p.risk, a.risk, d.risk), "
    "CASE WHEN EXISTS (SELECT 1 FROM arrived WHERE id = m.question_id) THEN 'arrived' "
    "ELSE coalesce(d.status, (SELECT status FROM deletion WHERE question_id = m.question_id "
    "ORDER BY id DESC LIMIT 1), 'kept') END, "
    "coalesce(d.iteration_id, (SELECT iteration_id FROM deletion WHERE question_id = m.question_id "
    "ORDER BY id DESC LIMIT 1)) "
    "FROM class_member m "
    "LEFT JOIN verified_pair p ON p.question_id = m.question_id AND p.keep_id = m.held_by "
    "LEFT JOIN deletion d ON d.question_id = m.question_id "
    "AND d." QDEDUP_OPEN
    " LEFT JOIN arrival_pair a ON p.question_id IS NULL AND d.keep_id IS NOT m.held_by "
    "AND a.question_id = m.question_id AND a.other_id = coalesce("
    "(SELECT other_id FROM arrival_pair WHERE question_id = m.question_id AND other_id = m.held_by), "
    "(SELECT min(other_id) FROM arrival_pair WHERE question_id = m.question_id AND other_expired = 1)) ";

ClassMember member_row(SQLite::Statement& row) {
  ClassMember member;
  member.question = row.getColumn(0).getInt64();
  member.representative = row.getColumn(1).getInt64();
  member.compared_with = row.getColumn(2).getInt64();
  read_measure(row, 3, member);
  member.status = row.getColumn(9).getString();
  member.iteration = optional_number(row.getColumn(10));
  return member;
}

std::string by_size(ClassOrder order) {
  if (order == ClassOrder::largest_first) return "size DESC, ";
  return order == ClassOrder::smallest_first ? "size, " : "";
}

ClassChange change_row(SQLite::Statement& row) {
  ClassChange change;
  change.id = row.getColumn(0).getInt64();
  change.at = row.getColumn(1).getString();
  change.iteration = optional_number(row.getColumn(2));
  change.decided_by = row.getColumn(3).getString();
  change.given_name = row.getColumn(4).getString();
  change.question = row.getColumn(5).getInt64();
  change.from = optional_number(row.getColumn(6));
  change.to = optional_number(row.getColumn(7));
  change.reason = row.getColumn(8).getString();
  return change;
}

// Queries for questions, each with another question.
constexpr std::array<Check, 4> class_checks = {{
    {"class-unheld",
     "SELECT question_id, representative FROM class_member m "
     "WHERE " QDEDUP_UNHELD " AND NOT EXISTS (SELECT 1 FROM arrival_pair WHERE question_id = m.question_id "
     "AND (other_id = m.held_by OR other_expired))"},
    {"class-broken",
     "SELECT m.question_id, m.representative FROM class_member m "
     "LEFT JOIN class_member h ON h.question_id = m.held_by "
     "WHERE m.representative <> coalesce(h.representative, m.held_by)"},
    {"class-missing", "SELECT question_id, keep_id FROM deletion WHERE " QDEDUP_OPEN
                      " AND question_id NOT IN (SELECT question_id FROM class_member) "
                      "UNION SELECT question_id, keep_id FROM verified_pair "
                      "WHERE question_id NOT IN (SELECT question_id FROM class_member) "
                      "UNION SELECT id, id FROM arrived "
                      "WHERE entering = 0 AND id NOT IN (SELECT question_id FROM class_member)"},
    {"class-history",
     "WITH step AS (SELECT question_id, old_representative, new_representative, "
     "lag(new_representative) OVER turns AS before, lead(id) OVER turns IS NULL AS is_last "
     "FROM class_change WINDOW turns AS (PARTITION BY question_id ORDER BY id)) "
     "SELECT question_id, coalesce(new_representative, question_id) FROM step "
     "WHERE old_representative IS NOT before OR (is_last AND new_representative IS NOT "
     "(SELECT representative FROM class_member WHERE question_id = step.question_id)) "
     "UNION SELECT question_id, representative FROM class_member "
     "WHERE question_id NOT IN (SELECT question_id FROM class_change)"},
}};

}  // namespace

std::optional<ClassOrder> class_order_named(std::string_view name) {
  const auto found = std::ranges::find(class_order_names, name);
  if (found == class_order_names.end()) return std::nullopt;
  return static_cast<ClassOrder>(found - class_order_names.begin());
}

Result<ClassCursor> Classes::members(ClassOrder order) {
  const std::string sizes =
      order == ClassOrder::representative
          ? ""
          : "JOIN (SELECT representative AS class, count(*) AS size FROM class_member GROUP BY 1) "
            "ON class = m.representative";
  return cursor_of(
      store_, member_row,
      select_members + sizes + " ORDER BY " + by_size(order) + "m.representative, m.question_id");
}

Result<std::vector<ClassSize>> Classes::sizes(ClassOrder order, std::int64_t offset, std::int64_t limit) {
  const auto size = [](SQLite::Statement& row) {
    return ClassSize{row.getColumn(0).getInt64(), loaded(row.getColumn(1))};
  };
  return all_rows(store_, size,
                  "SELECT representative, count(*) + 1 AS size FROM class_member GROUP BY 1 ORDER BY " +
                      by_size(order) + "representative LIMIT ?1 OFFSET ?2",
                  limit, offset);
}

Result<ClassCursor> Classes::members_of(QuestionId representative, QuestionId after) {
  return cursor_of(store_, member_row,
                   std::string(select_members) +
                       "WHERE m.representative = ? AND m.question_id > ? "
                       "ORDER BY m.representative, m.question_id",
                   representative, after);
}

Result<std::uint64_t> Classes::count_members(QuestionId representative) {
  return count_in(store_, "SELECT count(*) FROM class_member WHERE representative = ?", representative);
}

Result<QuestionId> Classes::representative_of(QuestionId question) {
  QDEDUP_ASSIGN_OR_RETURN(
      const auto found, first_row(store_, first_number,
                                  "SELECT representative FROM class_member WHERE question_id = ?", question));
  return found.value_or(question);
}

Result<std::vector<ClassSummary>> Classes::summaries_of(std::span<const QuestionId> questions,
                                                        std::int64_t most) {
  return guarded(store_.path(), [&] {
    SQLite::Database& database = store_.database();
    SQLite::Statement place(database, "SELECT representative FROM class_member WHERE question_id = ?");
    SQLite::Statement size(database, "SELECT count(*) + 1 FROM class_member WHERE representative = ?");
    SQLite::Statement members(database,
                              "SELECT question_id FROM class_member WHERE representative = ? "
                              "ORDER BY question_id LIMIT ?");
    std::map<QuestionId, ClassSummary> known;  // by representative
    std::vector<ClassSummary> summaries;
    for (const QuestionId question : questions) {
      bind_all(place, question);
      const QuestionId representative = place.executeStep() ? place.getColumn(0).getInt64() : question;
      const auto [summary, is_new] = known.try_emplace(representative);
      if (is_new) {
        bind_all(size, representative);
        size.executeStep();
        summary->second.representative = representative;
        summary->second.questions = loaded(size.getColumn(0));
        bind_all(members, representative, most);
        while (members.executeStep()) summary->second.similar.push_back(members.getColumn(0).getInt64());
      }
      summaries.push_back(summary->second);
    }
    return summaries;
  });
}

Result<std::vector<ClassChange>> Classes::changes_of(QuestionId representative) {
  return all_rows(
      store_, change_row,
      "SELECT c.id, coalesce(d.decided_at, c.changed_at, i.finished_at), c.iteration_id, "
      "coalesce(d.decided_by, ''), "
      "coalesce(d.given_name, ''), c.question_id, c.old_representative, c.new_representative, c.reason "
      "FROM class_change c LEFT JOIN iteration i ON i.id = c.iteration_id "
      "LEFT JOIN decision d ON d.id = c.decision_id "
      "WHERE c.question_id IN (SELECT ?1 "
      "UNION SELECT question_id FROM class_member WHERE representative = ?1 "
      "UNION SELECT question_id FROM class_change WHERE old_representative = ?1) ORDER BY c.id",
      representative);
}

Result<std::uint64_t> Classes::count() {
  return count_in(store_, "SELECT count(DISTINCT representative) FROM class_member");
}

Result<std::vector<Breach>> Classes::breaches() {
  return breaches_of(store_, class_checks, "SELECT 0, * FROM (", ") ORDER BY 2, 3");
}

}  // namespace qdedup::db
