#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/question_id.h"
#include "base/value_names.h"

namespace qdedup::refine {

// Whether a pair that was compared is still valid for the texts of now.
enum class Standing : std::uint8_t {
  holds,
  keeper_gone,   // the keeper has left the bank
  text_changed,  // that of the question or of the keeper
};
inline constexpr ValueNames<Standing, 3> standing_names = {{{Standing::holds, "holds"},
                                                            {Standing::keeper_gone, "keeper-gone"},
                                                            {Standing::text_changed, "text-changed"}}};
constexpr std::string_view name(Standing standing) { return name_in(standing_names, standing); }

// The reason why a pair without a deletion is lost when its question leaves the bank.
inline constexpr std::string_view question_gone = "question-gone";

// The texts of a pair when it was compared (refine::text_hash).
struct PairHashes {
  std::uint64_t question = 0;
  std::uint64_t keeper = 0;

  friend bool operator==(const PairHashes&, const PairHashes&) = default;
};

// Compares them with the texts now in the bank; none: the question has left. One that left does not count as
// changed: its deletion stays until it is applied or the question returns. What was applied or rejected
// `outlives` its keeper.
inline Standing standing_of(const PairHashes& compared, bool outlives, std::optional<std::uint64_t> question,
                            std::optional<std::uint64_t> keeper) {
  const bool question_changed = question && *question != compared.question;
  if (!keeper) return outlives && !question_changed ? Standing::holds : Standing::keeper_gone;
  return question_changed || *keeper != compared.keeper ? Standing::text_changed : Standing::holds;
}

// An open or rejected deletion to withdraw, and why.
struct Withdrawal {
  std::int64_t deletion_id = 0;
  std::string reason;
};

// A verified pair that is no longer valid, and why.
struct LostPair {
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::string reason;
};

}  // namespace qdedup::refine
