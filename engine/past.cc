#include "engine/past.h"

#include <algorithm>
#include <utility>

namespace qdedup::engine {
namespace {

// The deletions whose `id` field is `value`; `deletions` ascend by that field.
std::span<const refine::Deletion> range_of(const std::vector<refine::Deletion>& deletions, QuestionId value,
                                           QuestionId refine::Deletion::*id) {
  return {std::ranges::lower_bound(deletions, value, {}, id),
          std::ranges::upper_bound(deletions, value, {}, id)};
}

}  // namespace

DeletionIndex::DeletionIndex(std::vector<refine::Deletion> by_question)
    : by_question_(std::move(by_question)), by_keeper_(by_question_) {
  std::ranges::stable_sort(by_keeper_, {}, &refine::Deletion::keeper);
}

std::span<const refine::Deletion> DeletionIndex::of_question(QuestionId question) const {
  return range_of(by_question_, question, &refine::Deletion::question);
}

std::span<const refine::Deletion> DeletionIndex::of_keeper(QuestionId keeper) const {
  return range_of(by_keeper_, keeper, &refine::Deletion::keeper);
}

bool Past::is_rejected(HashedQuestion question, HashedQuestion keeper) const {
  const auto pair_of = [](const RejectedPair& pair) { return std::pair(pair.question, pair.keeper); };
  const std::pair wanted(question.id, keeper.id);
  const std::span pairs(std::ranges::lower_bound(rejected, wanted, {}, pair_of),
                        std::ranges::upper_bound(rejected, wanted, {}, pair_of));
  return std::ranges::any_of(pairs, [&](const RejectedPair& pair) {
    return pair.question_hash == question.hash && pair.keep_hash == keeper.hash;
  });
}

}  // namespace qdedup::engine
