#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "refine/keepers.h"

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

// A pair that a reviewer rejected, with the hashes of the texts at that time (refine::text_hash).
struct RejectedPair {
  QuestionId question;
  QuestionId keeper;
  std::uint64_t question_hash;
  std::uint64_t keep_hash;
};

// A question and the hash of its text.
struct HashedQuestion {
  QuestionId id;
  std::uint64_t hash;
};

// What past iterations and reviewers decided, as far as it is still valid (doc/rules.md, 5).
struct Past {
  DeletionIndex open;                             // deletions
  std::vector<std::vector<QuestionId>> reopened;  // clusters to decide again because texts changed
  std::vector<RejectedPair> rejected;             // not to be listed again, by question, then keeper

  // Whether the deletion of `question` in favour of `keeper`, with these texts, was rejected.
  [[nodiscard]] bool is_rejected(HashedQuestion question, HashedQuestion keeper) const;
};

}  // namespace qdedup::engine
