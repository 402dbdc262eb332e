#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

  friend bool operator==(const ClassRank&, const ClassRank&) = default;
};

// Which of `classes`, at least one, a question joins: the largest; of these the oldest; of these the one with
// the smallest representative.
const ClassRank& class_to_join(std::span<const ClassRank> classes);

// Keeps the classes and their history consistent with the verified pairs, within the open transaction.
//
// The verified pairs of a question are that of its open deletion and those of the table verified_pair. One of
// them holds it in its class: that of the smaller question of the pair. So a class is a tree of questions,
// each compared directly with another one of the class, with the smallest id at the root.
//
// To settle a question:
//   1. While the pair that holds it exists, nothing changes.
//   2. Otherwise, if another pair holds it in the same class, it stays there.
//   3. Otherwise, of the classes that its pairs lead to, it joins the one of class_to_join(). A question that
//      represents a class itself joins that of its keeper.
//   4. If it has no pair, it leaves.
// All questions that it holds move with it.
//
// Throws what the library throws. Takes a few look-ups per question and, for the first choice that involves a
// class, as many steps as the class has members.
class ClassUpdater {
 public:
  explicit ClassUpdater(SQLite::Database& database);

  void settle(const UnsettledQuestion& unsettled);

  // Settles each question once, in ascending order, since a question may hold larger ones; of several
  // reasons, the first counts.
  void settle_all(std::vector<UnsettledQuestion> unsettled);

 private:
  struct Membership {
    QuestionId representative;
    QuestionId holder;
  };

  [[nodiscard]] std::optional<Membership> membership(QuestionId question);
  [[nodiscard]] QuestionId class_of(QuestionId question);
  [[nodiscard]] std::vector<QuestionId> partners(const UnsettledQuestion& unsettled, bool is_member);
  [[nodiscard]] std::vector<QuestionId> followers(QuestionId question, bool is_member);
  [[nodiscard]] bool stays(QuestionId question, const Membership& before,
                           const std::vector<QuestionId>& partners);
  [[nodiscard]] Membership place_with(const std::vector<QuestionId>& partners);
  [[nodiscard]] const ClassRank& rank_of(QuestionId representative);
  void join(QuestionId question, const Membership& place);
  void leave(QuestionId question);
  void take_along(const std::vector<QuestionId>& followers, QuestionId from, QuestionId to,
                  const UnsettledQuestion& cause);
  void record(const UnsettledQuestion& cause, QuestionId from, QuestionId to);

  std::int64_t iteration_;  // the newest
  SQLite::Statement membership_;
  SQLite::Statement partners_;
  SQLite::Statement members_;
  SQLite::Statement held_;
  SQLite::Statement rank_;
  SQLite::Statement join_;
  SQLite::Statement stay_;
  SQLite::Statement leave_;
  SQLite::Statement follow_;
  SQLite::Statement record_;
  std::unordered_map<QuestionId, ClassRank> ranks_;  // the classes requested so far, by representative
};

}  // namespace qdedup::db
