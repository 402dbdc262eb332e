#include "db/class_updater.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "db/statement.h"

namespace qdedup::db {
namespace {

bool goes_before(const ClassRank& a, const ClassRank& b) {
  return std::tie(b.members, a.arrived, a.since, a.representative) <
         std::tie(a.members, b.arrived, b.since, b.representative);
}

// No question has this id.
constexpr QuestionId no_class = 0;

// The value for the tables: NULL for no class.
std::optional<QuestionId> stored_class(QuestionId representative) {
  return representative == no_class ? std::nullopt : std::optional(representative);
}

}  // namespace

const ClassRank& class_to_join(std::span<const ClassRank> classes) {
  return *std::ranges::min_element(classes, goes_before);
}

ClassUpdater::ClassUpdater(SQLite::Database& database, ArrivalOf arrival_of, std::string at)
    : iteration_(optional_number(database.execAndGet("SELECT max(id) FROM iteration"))),
      arrival_of_(std::move(arrival_of)),
      at_(at.empty() ? std::nullopt : std::optional(std::move(at))),
      membership_(database, "SELECT representative, held_by FROM class_member WHERE question_id = ?"),
      partners_(database,
                "SELECT keep_id FROM deletion "
                "WHERE question_id = ?1 AND " QDEDUP_OPEN
                " UNION ALL SELECT keep_id FROM verified_pair WHERE question_id = ?1"
                " UNION ALL SELECT other_id FROM arrival_pair WHERE question_id = ?1 AND other_expired = 0"),
      members_(database, "SELECT question_id FROM class_member WHERE representative = ?"),
      held_(database, "SELECT question_id FROM class_member WHERE " QDEDUP_HANGS),
      rank_(database, "SELECT count(*), min(since) FROM class_member WHERE representative = ?"),
      join_(database,
            "INSERT INTO class_member (question_id, representative, held_by, since) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET representative = excluded.representative, "
            "held_by = excluded.held_by, since = excluded.since"),
      stay_(database, "UPDATE class_member SET held_by = ? WHERE question_id = ?"),
      leave_(database, "DELETE FROM class_member WHERE question_id = ?"),
      note_left_(database,
                 "INSERT OR IGNORE INTO gone_while_listed SELECT id FROM arrived WHERE id = ? "
                 "AND entering = 0"),
      follow_(database, "UPDATE class_member SET representative = ? WHERE question_id = ?"),
      hand_over_(database,
                 "UPDATE class_member AS m SET held_by = ?2 WHERE held_by = ?1 "
                 "AND held_by <> representative "
                 "AND EXISTS (SELECT 1 FROM arrival_pair WHERE question_id = m.question_id) "
                 "AND " QDEDUP_UNHELD),
      can_be_cut_(database,
                  "SELECT 1 FROM class_member m WHERE question_id = ? "
                  "AND EXISTS (SELECT 1 FROM arrival_pair WHERE question_id = m.question_id) "
                  "AND NOT EXISTS (SELECT 1 FROM arrived WHERE id = m.question_id AND entering = 0) "
                  "AND " QDEDUP_UNHELD),
      record_(database,
              "INSERT INTO class_change (iteration_id, decision_id, changed_at, question_id, "
              "old_representative, new_representative, reason) VALUES (?, ?, ?, ?, ?, ?, ?)") {}

void ClassUpdater::settle_all(std::vector<UnsettledQuestion> unsettled) {
  if (!std::ranges::is_sorted(unsettled, {}, &UnsettledQuestion::question)) {
    std::ranges::stable_sort(unsettled, {}, &UnsettledQuestion::question);
  }
  QuestionId last = no_class;
  for (const UnsettledQuestion& each : unsettled) {
    if (std::exchange(last, each.question) != each.question) settle(each);
  }
}

void ClassUpdater::settle(const UnsettledQuestion& unsettled) {
  const std::optional<Membership> before = membership(unsettled.question);
  settle(unsettled, before, partners(unsettled, before.has_value()));
}

std::optional<QuestionId> ClassUpdater::place(const UnsettledQuestion& unsettled,
                                              std::vector<QuestionId> pairs) {
  const std::optional<Membership> before = membership(unsettled.question);
  const std::vector<QuestionId> known = partners(unsettled, before.has_value());
  pairs.insert(pairs.end(), known.begin(), known.end());
  std::ranges::sort(pairs);
  settle(unsettled, before, std::move(pairs));
  const std::optional<Membership> after = membership(unsettled.question);
  return after ? std::optional(after->holder) : std::nullopt;
}

std::optional<QuestionId> ClassUpdater::hand_over(QuestionId question) {
  const std::optional<Membership> place = membership(question);
  if (!place) return std::nullopt;
  run(hand_over_, question, place->holder);
  return place->holder;
}

void ClassUpdater::settle(const UnsettledQuestion& unsettled, const std::optional<Membership>& before,
                          std::vector<QuestionId> pairs) {
  const QuestionId question = unsettled.question;
  if (pairs.empty() && !before) return;
  if (before && std::ranges::find(pairs, before->holder) != pairs.end()) return;
  std::vector<QuestionId> following = followers(question, before.has_value());
  if (!following.empty() && cut_off(pairs, unsettled)) {
    following = followers(question, before.has_value());
  }
  if (pairs.empty() && !before) return;
  if (before && stays(question, *before, pairs)) return;
  // The smallest is its keeper.
  if (!before && !following.empty()) pairs.resize(1);

  const QuestionId from = before ? before->representative : no_class;
  QuestionId to = no_class;
  if (pairs.empty()) {
    leave(question);
  } else {
    const Membership place = place_with(pairs);
    to = place.representative;
    join(question, place);
  }
  if (before) ranks_.erase(from);
  record(unsettled, from, to);
  take_along(following, before ? from : question, to == no_class ? question : to, unsettled);
}

std::optional<ClassUpdater::Membership> ClassUpdater::membership(QuestionId question) {
  bind_all(membership_, question);
  if (!membership_.executeStep()) return std::nullopt;
  return Membership{membership_.getColumn(0).getInt64(), membership_.getColumn(1).getInt64()};
}

QuestionId ClassUpdater::class_of(QuestionId question) {
  const std::optional<Membership> found = membership(question);
  return found ? found->representative : question;
}

// The smaller questions of its verified pairs, ascending.
std::vector<QuestionId> ClassUpdater::partners(const UnsettledQuestion& unsettled, bool is_member) {
  if (!is_member && unsettled.only_pair) return {*unsettled.only_pair};
  std::vector<QuestionId> found = ids_in(partners_, unsettled.question);
  std::ranges::sort(found);
  return found;
}

// All questions that this one holds, directly or not.
std::vector<QuestionId> ClassUpdater::followers(QuestionId question, bool is_member) {
  if (!is_member) return ids_in(members_, question);
  std::vector<QuestionId> all = ids_in(held_, question);
  std::unordered_set<QuestionId> seen(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const QuestionId id : ids_in(held_, all[i])) {
      if (!seen.insert(id).second) throw SQLite::Exception("a class holds itself", SQLITE_CORRUPT);
      all.push_back(id);
    }
  }
  std::ranges::sort(all);
  return all;
}

// The questions on the way up from one to another that it hangs on, without that; none if it does not.
std::vector<QuestionId> ClassUpdater::path(QuestionId from, QuestionId to) {
  std::vector<QuestionId> way;
  std::unordered_set<QuestionId> seen;
  for (auto place = membership(from); place; place = membership(from)) {
    if (!seen.insert(from).second) throw SQLite::Exception("a class holds itself", SQLITE_CORRUPT);
    way.push_back(from);
    if (place->holder == to) return way;
    from = place->holder;
  }
  return {};
}

// Cuts branches off the question, until none of its pairs hangs on it; a pair for which that is not possible
// cannot hold it, and is dropped. Returns whether there were any.
bool ClassUpdater::cut_off(std::vector<QuestionId>& pairs, const UnsettledQuestion& cause) {
  bool any = false;
  const auto is_hopeless = [&](QuestionId pair) {
    const std::vector<QuestionId> way = path(pair, cause.question);
    if (way.empty()) return false;
    const auto cut = std::ranges::find_if(way, [&](QuestionId id) { return is_any(can_be_cut_, id); });
    if (cut == way.end()) return true;
    any = true;
    const QuestionId from = class_of(*cut);
    const std::vector<QuestionId> following = followers(*cut, true);
    leave(*cut);
    ranks_.erase(from);
    record({.question = *cut, .reason = "followed", .decision = cause.decision}, from, no_class);
    take_along(following, from, *cut, cause);
    return false;
  };
  std::erase_if(pairs, is_hopeless);
  return any;
}

// Whether another of its pairs, the smallest, holds it in its class.
bool ClassUpdater::stays(QuestionId question, const Membership& before,
                         const std::vector<QuestionId>& partners) {
  const auto other = std::ranges::find_if(
      partners, [&](QuestionId partner) { return class_of(partner) == before.representative; });
  if (other == partners.end()) return false;
  run(stay_, *other, question);
  return true;
}

// The smallest partner in the class to join.
ClassUpdater::Membership ClassUpdater::place_with(const std::vector<QuestionId>& partners) {
  if (partners.size() == 1) return {class_of(partners.front()), partners.front()};
  std::vector<ClassRank> classes;
  classes.reserve(partners.size());
  for (const QuestionId partner : partners) classes.push_back(rank_of(class_of(partner)));
  const ClassRank& joined = class_to_join(classes);
  return {joined.representative, partners[static_cast<std::size_t>(&joined - classes.data())]};
}

const ClassRank& ClassUpdater::rank_of(QuestionId representative) {
  const auto known = ranks_.find(representative);
  if (known != ranks_.end()) return known->second;
  ClassRank rank{.representative = representative};
  bind_all(rank_, representative);
  rank_.executeStep();
  rank.members = loaded(rank_.getColumn(0));
  if (rank.members > 0) rank.since = rank_.getColumn(1).getInt64();
  if (arrival_of_) rank.arrived = arrival_of_(representative).value_or(0);
  return ranks_.emplace(representative, rank).first->second;
}

void ClassUpdater::join(QuestionId question, const Membership& place) {
  const std::int64_t since = iteration_.value_or(0);
  run(join_, question, place.representative, place.holder, since);
  const auto known = ranks_.find(place.representative);
  if (known == ranks_.end()) return;
  ++known->second.members;
  known->second.since = std::min(known->second.since, since);
}

void ClassUpdater::leave(QuestionId question) {
  run(leave_, question);
  run(note_left_, question);
}

void ClassUpdater::take_along(const std::vector<QuestionId>& followers, QuestionId from, QuestionId to,
                              const UnsettledQuestion& cause) {
  if (followers.empty()) return;
  for (const QuestionId follower : followers) {
    run(follow_, to, follower);
    record({.question = follower, .reason = "followed", .decision = cause.decision}, from, to);
  }
  ranks_.erase(from);
  ranks_.erase(to);
}

void ClassUpdater::record(const UnsettledQuestion& cause, QuestionId from, QuestionId to) {
  run(record_, iteration_, cause.decision, at_, cause.question, stored_class(from), stored_class(to),
      cause.reason);
}

}  // namespace qdedup::db
