#include "db/arrivals.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>

#include <xxhash.h>

#include "db/bank_reading.h"
#include "db/database.h"
#include "db/decisions.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

// Of class_member: what hangs on the question ?1. (The two halves have indexes.)
#define QDEDUP_HANGS                                  \
  "((held_by = ?1 AND held_by <> representative) OR " \
  "(representative = ?1 AND held_by = ?1))"

// Pairs with questions of the bank that are kept beside the one that holds an arrival.
constexpr std::size_t max_further_pairs = 3;

constexpr const char* select_arrived =
    "SELECT id, text, answer, original_text, original_answer FROM arrived ";

BankQuestion arrived_row(SQLite::Statement& row) {
  BankQuestion question;
  question.id = row.getColumn(0).getInt64();
  question.text = row.getColumn(1).getString();
  question.answer = optional_text(row.getColumn(2));
  question.original.text = optional_text(row.getColumn(3));
  question.original.answer = optional_text(row.getColumn(4));
  return question;
}

// Equal for equal parts: the signs end with a sign's end, which is no character of a Han part.
std::uint64_t text_key(const refine::Parts& parts) {
  std::u32string all = parts.signs;
  all += refine::Parts::end_of_sign;
  all += parts.han;
  return XXH3_64bits(all.data(), all.size() * sizeof(char32_t));
}

// The lengths of Han parts that may be similar enough to one of this length.
struct Lengths {
  std::size_t shortest;
  std::size_t longest;
};

Lengths similar_lengths(std::size_t length, const refine::DuplicateSettings& settings) {
  constexpr std::size_t percent = 100;
  return {length - refine::distance_limit(length, settings.min_similarity),
          length * percent / static_cast<std::size_t>(settings.min_similarity)};
}

// The rows of the tables arrived and arrived_text. Within a transaction, all throw what the library throws.
class ArrivedRows {
 public:
  explicit ArrivedRows(SQLite::Database& database)
      : database_(database),
        find_(database, std::string(select_arrived) + "WHERE id = ?"),
        texts_(database,
               "SELECT text_key, length, once, twice FROM arrived_text "
               "WHERE signs = ? AND length BETWEEN ? AND ?"),
        next_class_(
            database,
            "SELECT representative, question_id FROM class_member "
            "WHERE text_key = ?1 AND representative > ?2 ORDER BY representative, question_id LIMIT 1"),
        add_(database,
             "INSERT INTO arrived (id, arrived_at, text, answer, original_text, original_answer, text_key, "
             "entering) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
        add_text_(database,
                  "INSERT OR IGNORE INTO arrived_text (signs, length, text_key, once, twice) "
                  "VALUES (?, ?, ?, ?, ?)"),
        key_(database, "SELECT text_key, text FROM arrived WHERE id = ?"),
        remove_(database, "DELETE FROM arrived WHERE id = ?"),
        set_key_(database, "UPDATE class_member SET text_key = ? WHERE question_id = ?") {}

  std::optional<BankQuestion> find(QuestionId id) {
    bind_all(find_, id);
    if (!find_.executeStep()) return std::nullopt;
    return arrived_row(find_);
  }

  // Those that pass the test with a text; of equal ones in one class the one with the smallest id. Where
  // other things are compared than signs and Han parts by distance, all texts that arrived are looked
  // through.
  Result<std::vector<BankQuestion>> similar_to(const std::string& text, const refine::Parts& parts,
                                               const refine::DuplicateSettings& settings,
                                               const std::function<Status()>& go_on) {
    if (settings.signs == refine::SignRule::any || settings.compare == refine::ComparedText::text ||
        refine::set_measure(settings.similarity)) {
      return similar_of_all(refine::compared_parts(text, settings), settings, go_on);
    }
    std::vector<BankQuestion> found;
    for (const std::uint64_t key : keys_near(parts, settings)) {
      for (auto place = next_class(key, 0); place; place = next_class(key, place->representative)) {
        std::optional<BankQuestion> other = find(place->question);
        if (!other) continue;
        QDEDUP_TRY(go_on());
        if (refine::compare(parts, refine::parts_of(other->text), settings).duplicate)
          found.push_back(*std::move(other));
      }
    }
    return found;
  }

  void add(const Arrival& arrival, const refine::Parts& parts) {
    const BankQuestion& question = arrival.question;
    const std::uint64_t key = text_key(parts);
    run(add_, question.id, arrival.at, question.text, question.answer, question.original.text,
        question.original.answer, stored(key), arrival.is_new);
    add_text(parts, key);
  }

  // Once it is in a class.
  void note_class(QuestionId id, const refine::Parts& parts) { run(set_key_, stored(text_key(parts)), id); }

  void add_text(const refine::Parts& parts, std::uint64_t key) {
    const QuestionSketch sketch = refine::sketch_of(parts);
    run(add_text_, stored(refine::sign_fingerprint(parts)), parts.han.size(), stored(key),
        stored(sketch.once), stored(sketch.twice));
  }

  // Nothing if there is none.
  void remove(QuestionId id) {
    bind_all(key_, id);
    if (!key_.executeStep()) return;
    const std::int64_t key = key_.getColumn(0).getInt64();
    const refine::Parts parts = refine::parts_of(key_.getColumn(1).getString());
    key_.reset();
    run(remove_, id);
    run(set_key_, std::optional<std::int64_t>(), id);
    run(database_,
        "DELETE FROM arrived_text WHERE signs = ?1 AND length = ?2 AND text_key = ?3 "
        "AND NOT EXISTS (SELECT 1 FROM arrived WHERE text_key = ?3)",
        stored(refine::sign_fingerprint(parts)), parts.han.size(), key);
  }

 private:
  Result<std::vector<BankQuestion>> similar_of_all(const refine::Parts& compared,
                                                   const refine::DuplicateSettings& settings,
                                                   const std::function<Status()>& go_on) {
    std::vector<BankQuestion> found;
    SQLite::Statement all(database_, std::string(select_arrived) +
                                         "WHERE id IN (SELECT min(a.id) FROM arrived AS a "
                                         "JOIN class_member AS m ON m.question_id = a.id "
                                         "GROUP BY a.text_key, a.text, m.representative) ORDER BY id");
    while (all.executeStep()) {
      QDEDUP_TRY(go_on());
      BankQuestion other = arrived_row(all);
      if (refine::compare(compared, refine::compared_parts(other.text, settings), settings).duplicate)
        found.push_back(std::move(other));
    }
    return found;
  }

  std::vector<std::uint64_t> keys_near(const refine::Parts& parts,
                                       const refine::DuplicateSettings& settings) {
    const QuestionSketch own = refine::sketch_of(parts);
    const Lengths lengths = similar_lengths(parts.han.size(), settings);
    bind_all(texts_, stored(refine::sign_fingerprint(parts)), lengths.shortest, lengths.longest);
    std::vector<std::uint64_t> keys;
    while (texts_.executeStep()) {
      constexpr std::uint64_t longest = 255;
      QuestionSketch sketch = own;  // with its signs
      sketch.han_length = static_cast<std::uint8_t>(std::min(loaded(texts_.getColumn(1)), longest));
      sketch.once = loaded(texts_.getColumn(2));
      sketch.twice = loaded(texts_.getColumn(3));
      if (refine::may_be_duplicates(own, sketch, settings)) keys.push_back(loaded(texts_.getColumn(0)));
    }
    return keys;
  }

  struct Place {
    QuestionId representative;
    QuestionId question;
  };

  // The next class, by representative, in which a text is, and the smallest question with it there.
  std::optional<Place> next_class(std::uint64_t key, QuestionId after) {
    bind_all(next_class_, stored(key), after);
    if (!next_class_.executeStep()) return std::nullopt;
    return Place{next_class_.getColumn(0).getInt64(), next_class_.getColumn(1).getInt64()};
  }

  SQLite::Database& database_;
  SQLite::Statement find_;
  SQLite::Statement texts_;
  SQLite::Statement next_class_;
  SQLite::Statement add_;
  SQLite::Statement add_text_;
  SQLite::Statement key_;
  SQLite::Statement remove_;
  SQLite::Statement set_key_;
};

void remember(SQLite::Database& database, const FollowedBank& bank) {
  run(database, "UPDATE followed_bank SET identity = ?, change = ?, rules = ?", bank.identity, bank.change,
      bank.rules);
}

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

// Follows changes of the bank.
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

  static bool is_any(SQLite::Statement& query, QuestionId id) {
    bind_all(query, id);
    const bool any = query.executeStep();
    query.reset();
    return any;
  }

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
      const char* const gone = is_question ? "question-gone" : "keeper-gone";
      unsettled_.emplace(pair.question, text ? "text-changed" : gone);
    }
    if (text) return {};
    bind_all(hanging_, id);
    while (hanging_.executeStep()) unsettled_.emplace(hanging_.getColumn(0).getInt64(), "keeper-gone");
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
  std::map<QuestionId, const char*> unsettled_;  // with the reason
};

// Of pairs that pass the test with the texts that are there now, these are what follow() expects.
Status test_again(SQLite::Database& database, ArrivedRows& arrived, const refine::DuplicateSettings& settings,
                  Bank& bank) {
  const auto text_of = [&](QuestionId id) -> Result<std::optional<std::string>> {
    if (auto question = arrived.find(id)) return std::optional(std::move(question->text));
    QDEDUP_ASSIGN_OR_RETURN(auto question, bank.find(id));
    return question ? std::optional(std::move(question->text)) : std::nullopt;
  };
  SQLite::Statement pairs(database, "SELECT question_id, other_id, other_expired FROM arrival_pair");
  SQLite::Statement update(
      database,
      "UPDATE arrival_pair SET distance = ?, length = ?, by_sets = ?, question_hash = ?, "
      "other_hash = ? WHERE question_id = ? AND other_id = ?");
  SQLite::Statement update_alone(
      database, "UPDATE arrival_pair SET question_hash = ? WHERE question_id = ? AND other_id = ?");
  while (pairs.executeStep()) {
    const QuestionId question = pairs.getColumn(0).getInt64();
    const QuestionId other = pairs.getColumn(1).getInt64();
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> text, text_of(question));
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> other_text, text_of(other));
    if (!text) continue;
    if (!other_text || pairs.getColumn(2).getInt() != 0) {  // there is nothing to compare with
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

std::vector<QuestionId> ids_in(SQLite::Statement& rows) {
  std::vector<QuestionId> ids;
  while (rows.executeStep()) ids.push_back(rows.getColumn(0).getInt64());
  return ids;
}

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
              "AND EXISTS (SELECT 1 FROM verified_pair WHERE question_id = m.question_id AND keep_id = ?1)") {
  }

  Result<Expired> expire(std::int64_t moment, std::span<const QuestionId> in_bank) {
    SQLite::Statement old(database_,
                          "SELECT id FROM arrived WHERE arrived_at < ? AND entering = 0 ORDER BY id");
    bind_all(old, moment);
    const std::vector<QuestionId> arrived = ids_in(old);
    going_.insert(arrived.begin(), arrived.end());
    going_.insert(in_bank.begin(), in_bank.end());
    QDEDUP_TRY(keep_holders(in_bank));
    Expired expired{.arrived = arrived.size()};
    for (const QuestionId id : in_bank) {
      if (going_.contains(id)) expired.leaving.push_back(id);
    }
    take_out(arrived, expired.leaving);
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
      bind_all(*query, id);
      for (const QuestionId other : ids_in(*query)) {
        if (going_.contains(other)) continue;
        if (rows_.find(other)) return true;
        QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> text, text_in_bank_(other));
        if (text) return true;
      }
    }
    return false;
  }

  void take_out(const std::vector<QuestionId>& arrived, const std::vector<QuestionId>& leaving) {
    std::vector<QuestionId> all = arrived;
    all.insert(all.end(), leaving.begin(), leaving.end());
    std::map<QuestionId, std::int64_t> decisions = withdraw_deletions(leaving);
    SQLite::Statement own_pairs(database_, "DELETE FROM arrival_pair WHERE question_id = ?");
    SQLite::Statement others(database_, "UPDATE arrival_pair SET other_expired = 1 WHERE other_id = ?");
    SQLite::Statement verified(database_, "DELETE FROM verified_pair WHERE question_id = ?1 OR keep_id = ?1");
    for (const QuestionId id : all) {
      updater_.hand_over(id);
      run(own_pairs, id);
      run(others, id);
      run(verified, id);
      const auto decision = decisions.find(id);
      updater_.settle(
          {.question = id,
           .reason = "expired",
           .decision = decision == decisions.end() ? std::nullopt : std::optional(decision->second)});
    }
    for (const QuestionId id : arrived) rows_.remove(id);
  }

  // Returns the decision on each question that had one.
  std::map<QuestionId, std::int64_t> withdraw_deletions(const std::vector<QuestionId>& leaving) {
    SQLite::Statement listed(
        database_, "SELECT id FROM deletion WHERE question_id = ? AND status IN ('pending', 'approved')");
    std::vector<Withdrawal> withdrawals;
    for (const QuestionId id : leaving) {
      bind_all(listed, id);
      for (const std::int64_t deletion : ids_in(listed)) withdrawals.push_back({deletion, "expired"});
    }
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
  std::unordered_set<QuestionId> going_;
};

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

Result<bool> Arrivals::any() {
  return guarded(store_.path(), [&] {
    return store_.database()
               .execAndGet("SELECT EXISTS (SELECT 1 FROM arrived) OR EXISTS (SELECT 1 FROM arrival_pair)")
               .getInt() != 0;
  });
}

Result<std::optional<BankQuestion>> Arrivals::find(QuestionId id) {
  return guarded(store_.path(), [&]() -> std::optional<BankQuestion> {
    SQLite::Statement row(store_.database(), std::string(select_arrived) + "WHERE id = ?");
    bind_all(row, id);
    if (!row.executeStep()) return std::nullopt;
    return arrived_row(row);
  });
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

Result<std::uint64_t> Arrivals::count() {
  return guarded(store_.path(),
                 [&] { return loaded(store_.database().execAndGet("SELECT count(*) FROM arrived")); });
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
  return guarded(store_.path(), [&] {
    SQLite::Statement rows(store_.database(),
                           "SELECT id, text, answer, original_text, original_answer, arrived_at FROM arrived "
                           "WHERE entering = 1 ORDER BY id");
    std::vector<Arrival> arrivals;
    while (rows.executeStep()) {
      arrivals.push_back({.question = arrived_row(rows), .at = rows.getColumn(5).getInt64(), .is_new = true});
    }
    return arrivals;
  });
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
  return guarded(store_.path(), [&] {
    SQLite::Statement rows(store_.database(),
                           "SELECT question_id FROM gone_while_listed AS g WHERE NOT EXISTS "
                           "(SELECT 1 FROM deletion WHERE question_id = g.question_id AND " QDEDUP_OPEN
                           ") ORDER BY 1");
    return ids_in(rows);
  });
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

Result<std::vector<ClassBreach>> Arrivals::breaches(const TextInBank& text_in_bank) {
  return guarded(store_.path(), [&]() -> Result<std::vector<ClassBreach>> {
    SQLite::Database& database = store_.database();
    ArrivedRows arrived(database);
    SQLite::Statement listed(database, "SELECT 1 FROM deletion WHERE question_id = ?1 AND " QDEDUP_OPEN
                                       " UNION SELECT 1 FROM deletion WHERE keep_id = ?1 AND " QDEDUP_OPEN);
    const auto is_listed = [&](QuestionId id) {
      bind_all(listed, id);
      const bool found = listed.executeStep();
      listed.reset();
      return found;
    };
    const auto text_of = [&](QuestionId id) -> Result<std::optional<std::uint64_t>> {
      if (const auto question = arrived.find(id)) return std::optional(refine::text_hash(question->text));
      return text_in_bank(id);
    };
    std::vector<ClassBreach> breaches;
    SQLite::Statement pairs(database,
                            "SELECT question_id, other_id, question_hash, other_hash, other_expired "
                            "FROM arrival_pair ORDER BY question_id, other_id");
    while (pairs.executeStep()) {
      const QuestionId question = pairs.getColumn(0).getInt64();
      const QuestionId other = pairs.getColumn(1).getInt64();
      QDEDUP_ASSIGN_OR_RETURN(const auto text, text_of(question));
      QDEDUP_ASSIGN_OR_RETURN(const auto other_text, text_of(other));
      const bool expired = pairs.getColumn(4).getInt() != 0;
      if (!expired && !other_text && !is_listed(other)) {
        breaches.push_back({"keeper-gone", question, other});
      } else if ((text && *text != loaded(pairs.getColumn(2))) ||
                 (!expired && other_text && *other_text != loaded(pairs.getColumn(3)))) {
        breaches.push_back({"text-changed", question, other});
      }
    }
    SQLite::Statement classes(database,
                              "SELECT min(id), representative FROM class_member JOIN arrived ON id = "
                              "question_id GROUP BY representative ORDER BY 1");
    while (classes.executeStep()) {
      const QuestionId representative = classes.getColumn(1).getInt64();
      QDEDUP_ASSIGN_OR_RETURN(const auto text, text_of(representative));
      if (text || is_listed(representative)) continue;
      breaches.push_back({"representative-gone", classes.getColumn(0).getInt64(), representative});
    }
    return breaches;
  });
}

Status Arrivals::refresh(const std::string& rules, const Remade& remade,
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
      const BankQuestion now = remade(before.id, before.original_text(), before.original_answer());
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
