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

// A question one of whose verified pairs came or went, and why.
struct UnsettledQuestion {
  QuestionId question = 0;
  std::string_view reason;                              // is to outlive the settling
  std::optional<std::int64_t> decision = std::nullopt;  // of the audit, that did it
  std::optional<QuestionId> only_pair = std::nullopt;   // if it was in no class: with whom its only pair is
};

// A class that a question could join.
struct ClassRank {
  QuestionId representative = 0;
  std::uint64_t members = 0;  // beside the representative
  // The iteration that was the newest when that of its members joined which has been in it longest; a class
  // that has none is the youngest.
  std::int64_t since = std::numeric_limits<std::int64_t>::max();

  friend bool operator==(const ClassRank&, const ClassRank&) = default;
};

// Which of `classes`, one at least, a question joins: the largest, of these the oldest, of these the one with
// the smallest representative.
const ClassRank& class_to_join(std::span<const ClassRank> classes);

// Keeps the classes true to the verified pairs, within the transaction that is open, and their history.
//
// The verified pairs of a question are that of its open deletion, and those of the table verified_pair. One
// of them holds it in its class: that of the smaller question of the pair. So a class is a tree of questions,
// each compared directly with another one of the class, and its smallest id stands at the root.
//
// To settle a question:
//   1. While the pair that holds it is there, nothing changes.
//   2. If another pair holds it in the same class, it stays in that.
//   3. Else it joins, of the classes that its pairs lead to, the one of class_to_join(). A question that
//      represents a class itself joins that of its keeper.
//   4. Where there is no pair, it leaves.
// All that it holds goes where it goes.
//
// Throws what the library throws. Takes a handful of look-ups for a question, and for a choice, once, as many
// steps as the classes to choose from have members.
class ClassUpdater {
 public:
  explicit ClassUpdater(SQLite::Database& database);

  void settle(const UnsettledQuestion& unsettled);

  // Each question once, from the smallest on, as larger ones may hang on it; of several reasons, the first
  // counts.
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
  std::unordered_map<QuestionId, ClassRank> ranks_;  // those that were asked for, by representative
};

}  // namespace qdedup::db
