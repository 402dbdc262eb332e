#include "db/class_updater.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "db/statement.h"

namespace qdedup::db {
namespace {

bool goes_before(const ClassRank& a, const ClassRank& b) {
  return std::tie(b.members, a.since, a.representative) < std::tie(a.members, b.since, b.representative);
}

// No question has this id.
constexpr QuestionId no_class = 0;

std::vector<QuestionId> ids_of(SQLite::Statement& query, QuestionId id) {
  bind_all(query, id);
  std::vector<QuestionId> ids;
  while (query.executeStep()) ids.push_back(query.getColumn(0).getInt64());
  return ids;
}

// The value for the tables: NULL for no class.
std::optional<QuestionId> stored_class(QuestionId representative) {
  return representative == no_class ? std::nullopt : std::optional(representative);
}

}  // namespace

const ClassRank& class_to_join(std::span<const ClassRank> classes) {
  return *std::ranges::min_element(classes, goes_before);
}

ClassUpdater::ClassUpdater(SQLite::Database& database)
    : iteration_(database.execAndGet("SELECT coalesce(max(id), 0) FROM iteration").getInt64()),
      membership_(database, "SELECT representative, held_by FROM class_member WHERE question_id = ?"),
      partners_(database,
                "SELECT keep_id FROM deletion "
                "WHERE question_id = ?1 AND " QDEDUP_OPEN
                " UNION ALL SELECT keep_id FROM verified_pair WHERE question_id = ?1"),
      members_(database, "SELECT question_id FROM class_member WHERE representative = ?"),
      held_(database,
            "SELECT question_id FROM class_member WHERE held_by = ?1 AND held_by <> representative "
            "UNION ALL SELECT question_id FROM class_member WHERE representative = ?1 AND held_by = ?1"),
      rank_(database, "SELECT count(*), min(since) FROM class_member WHERE representative = ?"),
      join_(database,
            "INSERT INTO class_member (question_id, representative, held_by, since) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET representative = excluded.representative, "
            "held_by = excluded.held_by, since = excluded.since"),
      stay_(database, "UPDATE class_member SET held_by = ? WHERE question_id = ?"),
      leave_(database, "DELETE FROM class_member WHERE question_id = ?"),
      follow_(database, "UPDATE class_member SET representative = ? WHERE question_id = ?"),
      record_(database,
              "INSERT INTO class_change (iteration_id, decision_id, question_id, old_representative, "
              "new_representative, reason) VALUES (?, ?, ?, ?, ?, ?)") {}

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
  const QuestionId question = unsettled.question;
  const std::optional<Membership> before = membership(question);
  std::vector<QuestionId> pairs = partners(unsettled, before.has_value());
  if (pairs.empty() && !before) return;
  if (before && stays(question, *before, pairs)) return;
  const std::vector<QuestionId> following = followers(question, before.has_value());
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
  std::vector<QuestionId> found = ids_of(partners_, unsettled.question);
  std::ranges::sort(found);
  return found;
}

// All questions that this one holds, directly or not.
std::vector<QuestionId> ClassUpdater::followers(QuestionId question, bool is_member) {
  if (!is_member) return ids_of(members_, question);
  std::vector<QuestionId> all = ids_of(held_, question);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<QuestionId> more = ids_of(held_, all[i]);
    const bool is_cycle = std::ranges::any_of(more, [&](QuestionId id) { return id <= all[i]; });
    if (is_cycle) throw SQLite::Exception("a class holds itself", SQLITE_CORRUPT);
    all.insert(all.end(), more.begin(), more.end());
  }
  std::ranges::sort(all);
  return all;
}

// Whether one of its pairs holds it in its class; prefers the one that held it before, then the smallest.
bool ClassUpdater::stays(QuestionId question, const Membership& before,
                         const std::vector<QuestionId>& partners) {
  if (std::ranges::find(partners, before.holder) != partners.end()) return true;
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
  return ranks_.emplace(representative, rank).first->second;
}

void ClassUpdater::join(QuestionId question, const Membership& place) {
  run(join_, question, place.representative, place.holder, iteration_);
  const auto known = ranks_.find(place.representative);
  if (known == ranks_.end()) return;
  ++known->second.members;
  known->second.since = std::min(known->second.since, iteration_);
}

void ClassUpdater::leave(QuestionId question) { run(leave_, question); }

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
  run(record_, iteration_, cause.decision, cause.question, stored_class(from), stored_class(to),
      cause.reason);
}

}  // namespace qdedup::db
