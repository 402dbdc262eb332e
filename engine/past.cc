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

bool Past::is_rejected(refine::Deletion pair, refine::PairHashes now) const {
  const auto ids = [](const auto& other) { return std::pair(other.question, other.keeper); };
  const std::span same(std::ranges::lower_bound(rejected, ids(pair), {}, ids),
                       std::ranges::upper_bound(rejected, ids(pair), {}, ids));
  return std::ranges::any_of(same, [&](const ListedPair& other) { return other.compared == now; });
}

}  // namespace qdedup::engine
