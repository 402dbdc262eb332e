#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "engine/past.h"
#include "refine/keepers.h"
#include "refine/standing.h"

namespace qdedup::engine {

// What past iterations and reviewers left, whatever the texts are now.
struct ListedPairs {
  std::vector<ListedPair> open;            // deletions, by question; each question has one at most
  std::vector<ListedPair> rejected;        // deletions, by question
  std::vector<ListedPair> verified;        // other pairs of duplicates, by question
  std::vector<refine::Deletion> reopened;  // withdrawn since, for the next iteration to decide anew

  // All ids, ascending.
  [[nodiscard]] std::vector<QuestionId> ids() const;
};

// The hash of a question's present text (refine::text_hash); none if it is not in the bank.
using PresentText = std::function<Result<std::optional<std::uint64_t>>(QuestionId)>;

// What the listed pairs mean for the present texts (doc/rules.md, 5).
struct Revalidated {
  Past past;
  // Although they are open or rejected: a text changed, or the keeper left the bank.
  std::vector<refine::Withdrawal> withdrawn;
  // Verified pairs that are no longer valid: a text changed, the kept question left the bank, or the other
  // one did and has no open deletion.
  std::vector<refine::LostPair> lost;
};

// Fails only as `present` does.
Result<Revalidated> revalidate(const ListedPairs& listed, const PresentText& present);

}  // namespace qdedup::engine
