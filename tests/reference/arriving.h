#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/question_id.h"

namespace qdedup::reference {

// The slow twin of what becomes of questions that come to be added (iteration/question_check.h,
// db/arrivals.h), in a bank that is never swept: knows of each question only its text, when it arrived and
// which other one it hangs on. Whatever else is asked is found out by walking through all of them.
class Arrivals {
 public:
  // Whether two texts pass the duplicate test.
  using Duplicates = std::function<bool(const std::string&, const std::string&)>;

  explicit Arrivals(Duplicates duplicates) : duplicates_(std::move(duplicates)) {}

  // An import, which follow() must come after.
  void put(QuestionId id, const std::string& text, std::optional<std::int64_t> arrived_at);
  void remove(QuestionId id);
  void follow();

  enum class Fate { added, joined, refused };
  Fate add(QuestionId id, const std::string& text, std::int64_t now);

  void expire(std::int64_t moment);

  // Question -> representative, of all that are in a class and do not represent it.
  [[nodiscard]] std::map<QuestionId, QuestionId> representatives() const;
  [[nodiscard]] QuestionId representative(QuestionId question) const;
  [[nodiscard]] std::size_t members(QuestionId representative) const;  // without it
  [[nodiscard]] bool is_in_bank(QuestionId id) const { return bank_.contains(id); }
  [[nodiscard]] std::set<QuestionId> arrived() const;

 private:
  struct Question {
    std::string text;
    std::optional<std::int64_t> arrived_at;
  };
  // What a question passed the test with when it arrived, with both texts then.
  struct Pair {
    std::string own_text;
    std::string other_text;
    bool expired = false;
  };

  [[nodiscard]] const Question* find(QuestionId id) const;
  [[nodiscard]] QuestionId best_of(const std::set<QuestionId>& others) const;
  void look_at(QuestionId id, std::set<QuestionId>& unsettled);
  void settle(QuestionId question, std::set<QuestionId>& unsettled);

  Duplicates duplicates_;
  std::map<QuestionId, Question> bank_;
  std::map<QuestionId, Question> arrived_;
  std::map<QuestionId, QuestionId> hangs_on_;
  std::map<QuestionId, std::map<QuestionId, Pair>> pairs_;
  std::set<QuestionId> changed_;  // in the bank
};

}  // namespace qdedup::reference
