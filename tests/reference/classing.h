#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/question_id.h"

namespace qdedup::reference {

// The slow twin of db::ClassUpdater: knows of each question only which other one holds it. Who represents a
// class, and how large and old it is, is found out by walking through all of them.
class Classes {
 public:
  // Question -> the smaller ones that it is verified to duplicate.
  using Pairs = std::map<QuestionId, std::set<QuestionId>>;

  // Settles the questions, whose pairs changed, while `iteration` is the newest.
  void settle(const std::set<QuestionId>& questions, const Pairs& pairs, std::int64_t iteration);

  // Question -> representative, of all that are in a class and do not represent it.
  [[nodiscard]] std::map<QuestionId, QuestionId> representatives() const;

 private:
  struct Held {
    QuestionId by;
    std::int64_t since;
  };

  [[nodiscard]] QuestionId representative(QuestionId question) const;
  [[nodiscard]] bool represents(QuestionId question) const;
  [[nodiscard]] QuestionId best_of(const std::set<QuestionId>& partners) const;
  void settle(QuestionId question, std::set<QuestionId> partners, std::int64_t iteration);

  std::map<QuestionId, Held> held_;
};

}  // namespace qdedup::reference
