#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "db/arrivals.h"
#include "db/arrived_rows.h"
#include "db/class_updater.h"
#include "db/database.h"
#include "db/decisions.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// Which questions go, and takes them out of the classes.
class Expiring {
 public:
  Expiring(SQLite::Database& database, const TextInBank& text_in_bank, const std::string& at)
      : database_(database),
        text_in_bank_(text_in_bank),
        at_(at),
        rows_(database),
        updater_(database, nullptr, at),
        in_its_class_(database, "SELECT question_id FROM class_member WHERE representative = ?"),
        // Those that came into the class when they arrived can hang on another one.
        held_(database,
              "SELECT question_id FROM deletion WHERE keep_id = ?1 AND " QDEDUP_OPEN
              " UNION SELECT question_id FROM class_member AS m WHERE held_by = ?1 AND held_by <> "
              "representative "
              "AND EXISTS (SELECT 1 FROM verified_pair WHERE question_id = m.question_id AND keep_id = ?1)"),
        applied_(database, "SELECT question_id FROM deletion WHERE keep_id = ? AND status = 'applied'"),
        note_gone_(database, "INSERT OR IGNORE INTO gone_while_listed VALUES (?)") {}

  Result<Expired> expire(std::int64_t moment, std::span<const QuestionId> in_bank) {
    SQLite::Statement old(database_,
                          "SELECT id FROM arrived WHERE arrived_at < ? AND entering = 0 ORDER BY id");
    const std::vector<QuestionId> arrived = ids_in(old, moment);
    going_.insert(arrived.begin(), arrived.end());
    going_.insert(in_bank.begin(), in_bank.end());
    QDEDUP_TRY(keep_holders(in_bank));
    Expired expired{.arrived = arrived.size()};
    for (const QuestionId id : in_bank) {
      if (going_.contains(id)) expired.leaving.push_back(id);
    }
    QDEDUP_TRY(take_out(arrived, expired.leaving));
    return expired;
  }

 private:
  // Of the questions of the bank, those that others need stay; until none is left that does.
  Status keep_holders(std::span<const QuestionId> in_bank) {
    std::vector<QuestionId> candidates(in_bank.begin(), in_bank.end());
    while (true) {
      std::vector<QuestionId> still;
      for (const QuestionId id : candidates) {
        QDEDUP_ASSIGN_OR_RETURN(const bool needed, is_needed(id));
        if (needed) {
          going_.erase(id);
        } else {
          still.push_back(id);
        }
      }
      if (still.size() == candidates.size()) return {};
      candidates = std::move(still);
    }
  }

  Result<bool> is_needed(QuestionId id) {
    for (SQLite::Statement* query : {&in_its_class_, &held_}) {
      for (const QuestionId other : ids_in(*query, id)) {
        if (going_.contains(other)) continue;
        QDEDUP_ASSIGN_OR_RETURN(const bool there, has_text(other));
        if (there) return true;
      }
    }
    // The question that was deleted has left the bank, and with it the time of its arrival.
    return std::ranges::any_of(ids_in(applied_, id),
                               [this](QuestionId deleted) { return !going_.contains(deleted); });
  }

  Result<bool> has_text(QuestionId id) {
    if (rows_.find(id)) return true;
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> text, text_in_bank_(id));
    return text.has_value();
  }

  // What hangs on a question that is gone already is for Arrivals::follow() to look at.
  Status hand_over(QuestionId id) {
    const std::optional<QuestionId> heir = updater_.hand_over(id);
    if (!heir) return {};
    QDEDUP_ASSIGN_OR_RETURN(const bool there, has_text(*heir));
    if (!there) run(note_gone_, *heir);
    return {};
  }

  Status take_out(const std::vector<QuestionId>& arrived, const std::vector<QuestionId>& leaving) {
    std::vector<QuestionId> all = arrived;
    all.insert(all.end(), leaving.begin(), leaving.end());
    const std::map<QuestionId, std::int64_t> decisions = withdraw_deletions(leaving);
    SQLite::Statement own_pairs(database_, "DELETE FROM arrival_pair WHERE question_id = ?");
    SQLite::Statement others(database_, "UPDATE arrival_pair SET other_expired = 1 WHERE other_id = ?");
    SQLite::Statement verified(database_, "DELETE FROM verified_pair WHERE question_id = ?1 OR keep_id = ?1");
    SQLite::Statement paired(
        database_,
        "SELECT question_id FROM class_member AS m WHERE " QDEDUP_HANGS
        " AND EXISTS (SELECT 1 FROM verified_pair WHERE question_id = m.question_id AND keep_id = ?1)");
    std::set<QuestionId> unheld;
    for (const auto& [id, decision] : decisions) {
      if (!going_.contains(id)) unheld.insert(id);
    }
    for (const QuestionId id : all) {
      for (const QuestionId other : ids_in(paired, id)) {
        if (!going_.contains(other)) unheld.insert(other);
      }
    }
    for (const QuestionId id : all) {
      QDEDUP_TRY(hand_over(id));
      run(own_pairs, id);
      run(others, id);
      run(verified, id);
      updater_.settle({.question = id, .reason = "expired", .decision = decision_on(decisions, id)});
    }
    std::vector<UnsettledQuestion> staying;
    staying.reserve(unheld.size());
    for (const QuestionId id : unheld) staying.push_back({id, "keeper-gone", decision_on(decisions, id)});
    updater_.settle_all(std::move(staying));
    SQLite::Statement forget_left(database_, "DELETE FROM gone_while_listed WHERE question_id = ?");
    for (const QuestionId id : arrived) {
      rows_.remove(id);
      run(forget_left, id);  // the updater noted it, as the row was still there
    }
    return {};
  }

  static std::optional<std::int64_t> decision_on(const std::map<QuestionId, std::int64_t>& decisions,
                                                 QuestionId id) {
    const auto decision = decisions.find(id);
    return decision == decisions.end() ? std::nullopt : std::optional(decision->second);
  }

  // Also those in favour of what leaves, of questions that are in the bank no more. Returns the decision on
  // each question that had one.
  std::map<QuestionId, std::int64_t> withdraw_deletions(const std::vector<QuestionId>& leaving) {
    const auto with = [this](const std::string& column) {
      return SQLite::Statement(database_, "SELECT id FROM deletion WHERE " + column +
                                              " = ? AND status IN ('pending', 'approved')");
    };
    SQLite::Statement of_question = with("question_id");
    SQLite::Statement of_keeper = with("keep_id");
    std::vector<Withdrawal> withdrawals;
    std::unordered_set<std::int64_t> withdrawn;
    const auto withdraw_all = [&](SQLite::Statement& query, const char* reason) {
      for (const QuestionId id : leaving) {
        for (const std::int64_t deletion : ids_in(query, id)) {
          if (withdrawn.insert(deletion).second) withdrawals.push_back({deletion, reason});
        }
      }
    };
    withdraw_all(of_question, "expired");
    withdraw_all(of_keeper, "keeper-gone");
    std::map<QuestionId, std::int64_t> decisions;
    for (const UnsettledQuestion& each : withdraw(database_, withdrawals, at_))
      decisions.emplace(each.question, each.decision.value());
    return decisions;
  }

  SQLite::Database& database_;
  const TextInBank& text_in_bank_;
  const std::string& at_;
  ArrivedRows rows_;
  ClassUpdater updater_;
  SQLite::Statement in_its_class_;
  SQLite::Statement held_;
  SQLite::Statement applied_;
  SQLite::Statement note_gone_;
  std::unordered_set<QuestionId> going_;
};

}  // namespace

Result<Expired> Arrivals::expire(std::int64_t moment, std::span<const QuestionId> in_bank,
                                 const TextInBank& text_in_bank, const std::string& at, bool dry_run) {
  return guarded(store_.path(), [&]() -> Result<Expired> {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    QDEDUP_ASSIGN_OR_RETURN(Expired expired, Expiring(database, text_in_bank, at).expire(moment, in_bank));
    const bool any = expired.arrived > 0 || !expired.leaving.empty();
    if (any && !dry_run) transaction.commit();
    return expired;
  });
}

}  // namespace qdedup::db
