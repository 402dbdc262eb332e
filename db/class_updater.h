#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "base/question_id.h"

namespace qdedup::db {

// A question that gained or lost a verified pair, and why.
struct UnsettledQuestion {
  QuestionId question = 0;
  std::string_view reason;                              // must outlive the settling
  std::optional<std::int64_t> decision = std::nullopt;  // in the audit, if one caused it
  // If it was in no class: the other question of its only pair.
  std::optional<QuestionId> only_pair = std::nullopt;
};

// A class that a question could join.
struct ClassRank {
  QuestionId representative = 0;
  std::uint64_t members = 0;  // besides the representative
  // When its oldest member joined, as the newest iteration at that time; a class without members counts as
  // the youngest.
  std::int64_t since = std::numeric_limits<std::int64_t>::max();
  std::int64_t arrived = 0;  // when the representative did, in seconds since 1970; 0: not known, so long ago

  friend bool operator==(const ClassRank&, const ClassRank&) = default;
};

// When a question of the bank arrived; none if that is not known.
using ArrivalOf = std::function<std::optional<std::int64_t>(QuestionId)>;

// Which of `classes`, at least one, a question joins: the largest; of these the oldest, by arrival, then by
// when its oldest member joined; of these the one with the smallest representative.
const ClassRank& class_to_join(std::span<const ClassRank> classes);

// Keeps the classes and their history consistent with the verified pairs, within the open transaction.
//
// The verified pairs of a question are that of its open deletion and those of the tables verified_pair and
// arrival_pair. One of them holds it in its class: that of the other question of the pair. So a class is a
// tree of questions, each compared directly with another one of the class. Of those that arrived the other
// one is the one that was there before, of others the smaller one: the smallest id is at the root then.
//
// To settle a question:
//   1. While the pair that holds it exists, nothing changes.
//   2. Otherwise, if another pair holds it in the same class, it stays there.
//   3. Otherwise, of the classes that its pairs lead to, it joins the one of class_to_join(). A question that
//      represents a class itself joins that of its keeper.
//   4. If it has no pair, it leaves; what arrived is noted, for Arrivals::follow() to let go.
// All questions that it holds move with it. If one of them is to hold it itself, the branch with that one is
// cut off first, where a question of the bank hangs on it by its arrival.
//
// Throws what the library throws. Takes a few look-ups per question and, for the first choice that involves a
// class, as many steps as the class has members.
class ClassUpdater {
 public:
  // `at` (RFC 3339) is when it happens, if neither an iteration nor a decision is the cause.
  explicit ClassUpdater(SQLite::Database& database, ArrivalOf arrival_of = nullptr, std::string at = {});

  void settle(const UnsettledQuestion& unsettled);

  // Settles a question with these pairs too, at least one. Returns the question that holds it; none if all
  // others hang on it.
  std::optional<QuestionId> place(const UnsettledQuestion& unsettled, std::vector<QuestionId> pairs);

  // Lets what hangs on this question by an arrival hang on what it hangs on itself. Nothing changes its
  // class. Returns the latter; none if it hangs on nothing.
  std::optional<QuestionId> hand_over(QuestionId question);

  // Settles each question once, in ascending order, since a question may hold larger ones; of several
  // reasons, the first counts.
  void settle_all(std::vector<UnsettledQuestion> unsettled);

 private:
  struct Membership {
    QuestionId representative;
    QuestionId holder;
  };

  void settle(const UnsettledQuestion& unsettled, const std::optional<Membership>& before,
              std::vector<QuestionId> pairs);
  [[nodiscard]] std::optional<Membership> membership(QuestionId question);
  [[nodiscard]] QuestionId class_of(QuestionId question);
  [[nodiscard]] std::vector<QuestionId> partners(const UnsettledQuestion& unsettled, bool is_member);
  [[nodiscard]] std::vector<QuestionId> followers(QuestionId question, bool is_member);
  [[nodiscard]] bool stays(QuestionId question, const Membership& before,
                           const std::vector<QuestionId>& partners);
  [[nodiscard]] std::vector<QuestionId> path(QuestionId from, QuestionId to);
  bool cut_off(std::vector<QuestionId>& pairs, const UnsettledQuestion& cause);
  [[nodiscard]] Membership place_with(const std::vector<QuestionId>& partners);
  [[nodiscard]] const ClassRank& rank_of(QuestionId representative);
  void join(QuestionId question, const Membership& place);
  void leave(QuestionId question);
  void take_along(const std::vector<QuestionId>& followers, QuestionId from, QuestionId to,
                  const UnsettledQuestion& cause);
  void record(const UnsettledQuestion& cause, QuestionId from, QuestionId to);

  std::optional<std::int64_t> iteration_;  // the newest
  ArrivalOf arrival_of_;
  std::optional<std::string> at_;
  SQLite::Statement membership_;
  SQLite::Statement partners_;
  SQLite::Statement members_;
  SQLite::Statement held_;
  SQLite::Statement rank_;
  SQLite::Statement join_;
  SQLite::Statement stay_;
  SQLite::Statement leave_;
  SQLite::Statement note_left_;
  SQLite::Statement follow_;
  SQLite::Statement hand_over_;
  SQLite::Statement can_be_cut_;
  SQLite::Statement record_;
  std::unordered_map<QuestionId, ClassRank> ranks_;  // the classes requested so far, by representative
};

}  // namespace qdedup::db
