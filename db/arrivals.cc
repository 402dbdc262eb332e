#include "db/arrivals.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/bank_reading.h"
#include "db/database.h"
#include "db/fingerprints.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// Pairs with questions of the bank that are kept beside the one that holds an arrival.
constexpr std::size_t max_further_pairs = 3;

// Puts arrivals into their classes.
class Placing {
 public:
  Placing(SQLite::Database& database, const refine::DuplicateSettings& settings, const PairOf& pair_of,
          const ArrivalOf& arrival_of, const std::string& at, const std::function<Status()>& go_on)
      : settings_(settings),
        pair_of_(pair_of),
        go_on_(go_on),
        rows_(database),
        updater_(database, arrival_of, at),
        add_pair_(
            database,
            "INSERT OR REPLACE INTO arrival_pair (question_id, other_id, distance, length, by_sets, "
            "confidence, reasons, risk, question_hash, other_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

  // Returns whether it got into a class.
  Result<bool> place(const Arrival& arrival) {
    const refine::Parts parts = refine::parts_of(arrival.question.text);
    QDEDUP_ASSIGN_OR_RETURN(std::vector<BankQuestion> similar,
                            rows_.similar_to(arrival.question.text, parts, settings_, go_on_));
    std::erase_if(similar, [&](const BankQuestion& each) { return each.id == arrival.question.id; });
    std::vector<QuestionId> partners = arrival.duplicates;
    for (const BankQuestion& each : similar) partners.push_back(each.id);
    rows_.add(arrival, parts);
    if (partners.empty()) return false;
    std::optional<QuestionId> holder = updater_.place({arrival.question.id, "arrived"}, partners);
    rows_.note_class(arrival.question.id, parts);
    // What an older pair still holds was not compared with the other question of that.
    if (holder && std::ranges::find(partners, *holder) == partners.end()) holder.reset();
    QDEDUP_TRY(add_pairs(arrival, holder, similar));
    return true;
  }

 private:
  Status add_pairs(const Arrival& arrival, std::optional<QuestionId> holder,
                   const std::vector<BankQuestion>& similar) {
    std::vector<QuestionId> others;
    if (holder) others.push_back(*holder);
    for (const QuestionId duplicate : arrival.duplicates) {
      if (duplicate != holder && others.size() <= max_further_pairs) others.push_back(duplicate);
    }
    for (const QuestionId other : others) {
      const auto arrived = std::ranges::find(similar, other, &BankQuestion::id);
      QDEDUP_ASSIGN_OR_RETURN(
          const refine::AnnotatedDeletion pair,
          pair_of_(arrival.question, other,
                   arrived == similar.end() ? std::nullopt : std::optional<BankQuestion>(*arrived)));
      run(add_pair_, pair.question, pair.keeper, pair.distance, pair.length, pair.by_sets, pair.confidence,
          pair.reasons.text(), pair.risk, pair.question_hash, pair.keep_hash);
    }
    return {};
  }

  const refine::DuplicateSettings& settings_;
  const PairOf& pair_of_;
  const std::function<Status()>& go_on_;
  ArrivedRows rows_;
  ClassUpdater updater_;
  SQLite::Statement add_pair_;
};

// Of pairs that pass the test with the texts that are there now, these are what follow() expects.
Status test_again(SQLite::Database& database, ArrivedRows& arrived, const refine::DuplicateSettings& settings,
                  Bank& bank) {
  const auto text_of = [&](QuestionId id) -> Result<std::optional<std::string>> {
    if (auto question = arrived.find(id)) return std::optional(std::move(question->text));
    QDEDUP_ASSIGN_OR_RETURN(auto question, bank.find(id));
    return question ? std::optional(std::move(question->text)) : std::nullopt;
  };
  struct Pair {
    QuestionId question;
    QuestionId other;
    bool expired;
  };
  const auto pair_of = [](SQLite::Statement& row) {
    return Pair{row.getColumn(0).getInt64(), row.getColumn(1).getInt64(), row.getColumn(2).getInt() != 0};
  };
  // Read first, as SQLite does not say what a query sees of the rows that change while it runs.
  SQLite::Statement rows(database, "SELECT question_id, other_id, other_expired FROM arrival_pair");
  const std::vector<Pair> pairs = rows_in(rows, pair_of);
  SQLite::Statement update(
      database,
      "UPDATE arrival_pair SET distance = ?, length = ?, by_sets = ?, question_hash = ?, "
      "other_hash = ? WHERE question_id = ? AND other_id = ?");
  SQLite::Statement update_alone(
      database, "UPDATE arrival_pair SET question_hash = ? WHERE question_id = ? AND other_id = ?");
  for (const auto& [question, other, expired] : pairs) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> text, text_of(question));
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> other_text, text_of(other));
    if (!text) continue;
    if (!other_text || expired) {  // there is nothing to compare with
      run(update_alone, stored(refine::text_hash(*text)), question, other);
      continue;
    }
    const refine::Comparison comparison = refine::compare(
        refine::compared_parts(*text, settings), refine::compared_parts(*other_text, settings), settings);
    if (!comparison.duplicate) continue;
    run(update, comparison.distance, comparison.length, refine::set_measure(settings.similarity).has_value(),
        stored(refine::text_hash(*text)), stored(refine::text_hash(*other_text)), question, other);
  }
  return {};
}

}  // namespace

ArrivalOf arrivals_in(Bank& bank) {
  auto row =
      std::make_shared<SQLite::Statement>(bank.database(), "SELECT arrived_at FROM arrival WHERE id = ?");
  return [row](QuestionId id) -> std::optional<std::int64_t> {
    bind_all(*row, id);
    const auto found = row->executeStep() ? std::optional(row->getColumn(0).getInt64()) : std::nullopt;
    row->reset();  // otherwise its open snapshot would keep the write-ahead log from being reused
    return found;
  };
}

Result<FollowedBank> present_bank(Bank& bank) {
  FollowedBank present;
  QDEDUP_ASSIGN_OR_RETURN(present.identity, bank.identity());
  QDEDUP_ASSIGN_OR_RETURN(present.change, newest_change(bank));
  QDEDUP_ASSIGN_OR_RETURN(present.rules, bank.fingerprint_version());
  return present;
}

void remember(SQLite::Database& store, const FollowedBank& bank) {
  run(store, "UPDATE followed_bank SET identity = ?, change = ?, rules = ?", bank.identity, bank.change,
      bank.rules);
}

Result<bool> Arrivals::any() {
  return guarded(store_.path(), [&] {
    return store_.database()
               .execAndGet("SELECT EXISTS (SELECT 1 FROM arrived) OR EXISTS (SELECT 1 FROM arrival_pair)")
               .getInt() != 0;
  });
}

Result<std::optional<BankQuestion>> Arrivals::find(QuestionId id) {
  return first_row(store_, arrived_row, std::string(select_arrived) + "WHERE id = ?", id);
}

Result<std::unordered_map<QuestionId, std::string>> Arrivals::texts_of(
    std::span<const QuestionId> questions) {
  return guarded(store_.path(), [&] {
    SQLite::Statement row(store_.database(), "SELECT text FROM arrived WHERE id = ?");
    std::unordered_map<QuestionId, std::string> texts;
    for (const QuestionId id : questions) {
      bind_all(row, id);
      if (row.executeStep()) texts[id] = row.getColumn(0).getString();
    }
    return texts;
  });
}

Status Arrivals::add(std::span<const Arrival> arrivals, const refine::DuplicateSettings& settings,
                     const PairOf& pair_of, const ArrivalOf& arrival_of, const FollowedBank& bank,
                     const std::string& at, const std::function<Status()>& go_on) {
  return guarded(store_.path(), [&]() -> Status {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    Placing placing(database, settings, pair_of, arrival_of, at, go_on);
    bool any = false;
    for (const Arrival& arrival : arrivals) {
      QDEDUP_ASSIGN_OR_RETURN(const bool placed, placing.place(arrival));
      any = any || placed;
    }
    if (!any) return {};
    remember(database, bank);
    transaction.commit();
    return {};
  });
}

Result<std::vector<Arrival>> Arrivals::entering() {
  const auto arrival = [](SQLite::Statement& row) {
    return Arrival{.question = arrived_row(row), .at = row.getColumn(6).getInt64(), .is_new = true};
  };
  return all_rows(store_, arrival,
                  "SELECT id, text, answer, original_text, original_answer, images, arrived_at "
                  "FROM arrived WHERE entering = 1 ORDER BY id");
}

Result<FollowedBank> Arrivals::followed() {
  return guarded(store_.path(), [&] {
    SQLite::Statement row(store_.database(), "SELECT identity, change, rules FROM followed_bank");
    row.executeStep();
    return FollowedBank{row.getColumn(0).getString(), row.getColumn(1).getInt64(),
                        row.getColumn(2).getString()};
  });
}

Result<std::vector<QuestionId>> Arrivals::released() {
  return all_rows(store_, first_number,
                  "SELECT question_id FROM gone_while_listed AS g WHERE NOT EXISTS "
                  "(SELECT 1 FROM deletion WHERE question_id = g.question_id AND " QDEDUP_OPEN
                  ") ORDER BY 1");
}

Result<bool> Arrivals::concern(std::span<const QuestionId> questions) {
  return guarded(store_.path(), [&] {
    SQLite::Statement known(store_.database(),
                            "SELECT EXISTS (SELECT 1 FROM arrived WHERE id = ?1) OR EXISTS (SELECT 1 FROM "
                            "arrival_pair WHERE question_id = ?1 OR other_id = ?1) OR EXISTS (SELECT 1 FROM "
                            "class_member WHERE " QDEDUP_HANGS ")");
    return std::ranges::any_of(questions, [&](QuestionId id) {
      bind_all(known, id);
      known.executeStep();
      return known.getColumn(0).getInt() != 0;
    });
  });
}

Result<std::vector<bool>> Arrivals::paired_otherwise(std::span<const BankQuestion> questions) {
  return guarded(store_.path(), [&] {
    SQLite::Statement pair(
        store_.database(),
        "SELECT 1 FROM deletion WHERE question_id = ?1 AND question_hash <> ?2 AND " QDEDUP_OPEN
        " UNION ALL SELECT 1 FROM deletion WHERE keep_id = ?1 AND keep_hash <> ?2 AND " QDEDUP_OPEN
        " UNION ALL SELECT 1 FROM verified_pair WHERE question_id = ?1 AND question_hash <> ?2"
        " UNION ALL SELECT 1 FROM class_member JOIN verified_pair USING (question_id)"
        " WHERE keep_id = ?1 AND keep_hash <> ?2 AND " QDEDUP_HANGS
        " UNION ALL SELECT 1 FROM arrival_pair WHERE question_id = ?1 AND question_hash <> ?2"
        " UNION ALL SELECT 1 FROM arrival_pair WHERE other_id = ?1 AND other_hash <> ?2"
        " AND other_expired = 0");
    std::vector<bool> found;
    for (const BankQuestion& question : questions)
      found.push_back(is_any(pair, question.id, stored(refine::text_hash(question.text))));
    return found;
  });
}

Result<std::vector<Breach>> Arrivals::breaches(const TextInBank& text_in_bank) {
  return guarded(store_.path(), [&]() -> Result<std::vector<Breach>> {
    SQLite::Database& database = store_.database();
    ArrivedRows arrived(database);
    SQLite::Statement listed(database, "SELECT 1 FROM deletion WHERE question_id = ?1 AND " QDEDUP_OPEN
                                       " UNION SELECT 1 FROM deletion WHERE keep_id = ?1 AND " QDEDUP_OPEN);
    const auto text_of = [&](QuestionId id) -> Result<std::optional<std::uint64_t>> {
      if (const auto question = arrived.find(id)) return std::optional(refine::text_hash(question->text));
      return text_in_bank(id);
    };
    std::vector<Breach> breaches;
    SQLite::Statement pairs(database,
                            "SELECT question_id, other_id, question_hash, other_hash, other_expired "
                            "FROM arrival_pair ORDER BY question_id, other_id");
    while (pairs.executeStep()) {
      const QuestionId question = pairs.getColumn(0).getInt64();
      const QuestionId other = pairs.getColumn(1).getInt64();
      QDEDUP_ASSIGN_OR_RETURN(const auto text, text_of(question));
      QDEDUP_ASSIGN_OR_RETURN(const auto other_text, text_of(other));
      const bool expired = pairs.getColumn(4).getInt() != 0;
      if (!expired && !other_text && !is_any(listed, other)) {
        breaches.push_back(breach_of_pair(name(Standing::keeper_gone), question, other));
      } else if ((text && *text != loaded(pairs.getColumn(2))) ||
                 (!expired && other_text && *other_text != loaded(pairs.getColumn(3)))) {
        breaches.push_back(breach_of_pair(name(Standing::text_changed), question, other));
      }
    }
    SQLite::Statement classes(database,
                              "SELECT min(id), representative FROM class_member JOIN arrived ON id = "
                              "question_id GROUP BY representative ORDER BY 1");
    while (classes.executeStep()) {
      const QuestionId representative = classes.getColumn(1).getInt64();
      QDEDUP_ASSIGN_OR_RETURN(const auto text, text_of(representative));
      if (text || is_any(listed, representative)) continue;
      breaches.push_back(
          breach_of_pair("representative-gone", classes.getColumn(0).getInt64(), representative));
    }
    return breaches;
  });
}

Status Arrivals::refresh(const std::string& rules, const markup::Options& options,
                         const refine::DuplicateSettings& settings, Bank& bank) {
  return guarded(store_.path(), [&]() -> Status {
    SQLite::Database& database = store_.database();
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec("DELETE FROM arrived_text");
    ArrivedRows arrived(database);
    SQLite::Statement rows(database, std::string(select_arrived) + "WHERE id > ? ORDER BY id LIMIT 1");
    SQLite::Statement update(
        database,
        "UPDATE arrived SET text = ?, answer = ?, original_text = ?, original_answer = ?, "
        "text_key = ? WHERE id = ?");
    for (QuestionId last = 0;;) {
      bind_all(rows, last);
      if (!rows.executeStep()) break;
      const BankQuestion before = arrived_row(rows);
      rows.reset();
      last = before.id;
      const BankQuestion now = bank_question(before.id, before.original_text(), before.original_answer(),
                                             options, images_of(before));
      const refine::Parts parts = refine::parts_of(now.text);
      const std::uint64_t key = text_key(parts);
      run(update, now.text, now.answer, now.original.text, now.original.answer, stored(key), now.id);
      arrived.note_class(now.id, parts);
      arrived.add_text(parts, key);
    }
    run(database, "UPDATE followed_bank SET identity = '', rules = ?", rules);
    QDEDUP_TRY(test_again(database, arrived, settings, bank));
    transaction.commit();
    return {};
  });
}

Result<std::optional<BankQuestion>> find_question(QuestionId question, Store& store, Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<BankQuestion> found, bank.find(question));
  return found ? std::move(found) : Arrivals(store).find(question);
}

}  // namespace qdedup::db
