#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "refine/keepers.h"
#include "refine/standing.h"

namespace qdedup::engine {

// The open deletions, by question and by keeper.
class DeletionIndex {
 public:
  DeletionIndex() = default;
  // `by_question` ascends by question, without repetition.
  explicit DeletionIndex(std::vector<refine::Deletion> by_question);

  [[nodiscard]] std::span<const refine::Deletion> all() const { return by_question_; }
  [[nodiscard]] std::span<const refine::Deletion> of_question(QuestionId question) const;  // at most one
  [[nodiscard]] std::span<const refine::Deletion> of_keeper(QuestionId keeper) const;

 private:
  std::vector<refine::Deletion> by_question_;
  std::vector<refine::Deletion> by_keeper_;
};

// A pair that an earlier iteration listed, or verified.
struct ListedPair {
  std::int64_t deletion_id = 0;  // 0 of a verified pair
  QuestionId question = 0;
  QuestionId keeper = 0;
  refine::PairHashes compared;
  bool outlives_keeper = false;

  friend bool operator==(const ListedPair&, const ListedPair&) = default;
};

// What past iterations and reviewers decided, as far as it is still valid (doc/rules.md, 5).
struct Past {
  DeletionIndex open;                             // deletions
  std::vector<std::vector<QuestionId>> reopened;  // clusters to decide again because texts changed
  std::vector<ListedPair> rejected;               // not to be listed again, by question, then keeper

  // Whether this deletion, with the texts of now, was rejected.
  [[nodiscard]] bool is_rejected(refine::Deletion pair, refine::PairHashes now) const;
};

}  // namespace qdedup::engine
