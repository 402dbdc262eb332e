#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "db/arrivals.h"
#include "db/arrived_rows.h"
#include "db/class_updater.h"
#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

class Following {
 public:
  Following(SQLite::Database& database, const TextInBank& text_in_bank, const ArrivalOf& arrival_of,
            const std::string& at)
      : text_in_bank_(text_in_bank),
        rows_(database),
        updater_(database, arrival_of, at),
        pairs_(database,
               "SELECT question_id, other_id, question_hash, other_hash, other_expired FROM arrival_pair "
               "WHERE question_id = ?1 OR other_id = ?1"),
        hanging_(database, "SELECT question_id FROM class_member AS m WHERE " QDEDUP_HANGS
                           " AND EXISTS (SELECT 1 FROM arrival_pair WHERE question_id = m.question_id "
                           "AND other_expired = 1)"),
        listed_(database, "SELECT 1 FROM deletion WHERE question_id = ? AND " QDEDUP_OPEN),
        in_class_(database, "SELECT 1 FROM class_member WHERE question_id = ?"),
        remove_pair_(database, "DELETE FROM arrival_pair WHERE question_id = ? AND other_id = ?"),
        note_gone_(database, "INSERT OR IGNORE INTO gone_while_listed VALUES (?)"),
        forget_gone_(database, "DELETE FROM gone_while_listed WHERE question_id = ?") {}

  Status follow(const std::vector<QuestionId>& changed) {
    for (const QuestionId id : changed) {
      QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> in_bank, text_in_bank_(id));
      if (in_bank) rows_.remove(id);
      QDEDUP_TRY(look_at(id, in_bank));
    }
    while (!unsettled_.empty()) {
      const auto [question, reason] = *unsettled_.begin();
      unsettled_.erase(unsettled_.begin());
      updater_.settle({question, reason});
      if (is_any(in_class_, question) || !rows_.find(question)) continue;
      rows_.remove(question);
      QDEDUP_TRY(look_at(question, std::nullopt));
    }
    return {};
  }

 private:
  struct Pair {
    QuestionId question;
    QuestionId other;
    std::uint64_t question_hash;
    std::uint64_t other_hash;
    bool other_expired;
  };

  std::vector<Pair> pairs_of(QuestionId id) {
    bind_all(pairs_, id);
    std::vector<Pair> pairs;
    while (pairs_.executeStep()) {
      pairs.push_back({pairs_.getColumn(0).getInt64(), pairs_.getColumn(1).getInt64(),
                       loaded(pairs_.getColumn(2)), loaded(pairs_.getColumn(3)),
                       pairs_.getColumn(4).getInt() != 0});
    }
    return pairs;
  }

  // Drops the pairs that do not hold any more.
  Status look_at(QuestionId id, std::optional<std::uint64_t> text) {
    if (!text) {
      const std::optional<BankQuestion> arrived = rows_.find(id);
      if (arrived) text = refine::text_hash(arrived->text);
      // An iteration or a decision took the pair that held it.
      if (arrived && !is_any(in_class_, id)) unsettled_.emplace(id, name(Standing::keeper_gone));
    }
    run(forget_gone_, id);
    const std::vector<Pair> pairs = pairs_of(id);
    // What is listed stays in its class, though it has left the bank.
    if (!text && is_any(listed_, id)) {
      if (!pairs.empty() || is_any(hanging_, id)) run(note_gone_, id);
      return {};
    }
    for (const Pair& pair : pairs) {
      const bool is_question = pair.question == id;
      if (!is_question && pair.other_expired) continue;
      if (text == (is_question ? pair.question_hash : pair.other_hash)) continue;
      run(remove_pair_, pair.question, pair.other);
      const std::string_view gone = is_question ? refine::question_gone : name(Standing::keeper_gone);
      unsettled_.emplace(pair.question, text ? name(Standing::text_changed) : gone);
    }
    if (text) return {};
    bind_all(hanging_, id);
    while (hanging_.executeStep())
      unsettled_.emplace(hanging_.getColumn(0).getInt64(), name(Standing::keeper_gone));
    return {};
  }

  const TextInBank& text_in_bank_;
  ArrivedRows rows_;
  ClassUpdater updater_;
  SQLite::Statement pairs_;
  SQLite::Statement hanging_;
  SQLite::Statement listed_;
  SQLite::Statement in_class_;
  SQLite::Statement remove_pair_;
  SQLite::Statement note_gone_;
  SQLite::Statement forget_gone_;
  std::map<QuestionId, std::string_view> unsettled_;  // with the reason
};

}  // namespace

Status Arrivals::follow(const std::optional<std::vector<QuestionId>>& changed, const TextInBank& text_in_bank,
                        const ArrivalOf& arrival_of, const FollowedBank& bank, const std::string& at) {
  return guarded(store_.path(), [&]() -> Status {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<QuestionId> ids;
    if (changed) {
      ids = *changed;
    } else {
      SQLite::Statement all(database,
                            "SELECT id FROM arrived UNION SELECT question_id FROM arrival_pair "
                            "UNION SELECT other_id FROM arrival_pair "
                            "UNION SELECT held_by FROM class_member "
                            "WHERE question_id IN (SELECT question_id FROM arrival_pair)");
      ids = ids_in(all);
    }
    QDEDUP_TRY(Following(database, text_in_bank, arrival_of, at).follow(ids));
    remember(database, bank);
    transaction.commit();
    return {};
  });
}

}  // namespace qdedup::db
