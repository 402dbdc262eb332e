#include "import/question_characters.h"

#include <cstdint>
#include <map>

namespace qdedup::import {

db::CharacterSums QuestionCharacters::take() {
  std::map<char32_t, std::int64_t> changes;
  for (const auto& [code_point, questions] : entered_.counts())
    changes[code_point] += static_cast<std::int64_t>(questions);
  for (const auto& [code_point, questions] : left_.counts())
    changes[code_point] -= static_cast<std::int64_t>(questions);
  db::CharacterSums sums;
  sums.questions =
      static_cast<std::int64_t>(entered_.questions()) - static_cast<std::int64_t>(left_.questions());
  sums.characters.assign(changes.begin(), changes.end());
  entered_ = {};
  left_ = {};
  return sums;
}

refine::CharacterCounts character_counts(const db::CharacterSums& sums) {
  refine::CharacterCounts counts;
  counts.set_questions(static_cast<std::uint64_t>(sums.questions));
  for (const auto& [code_point, questions] : sums.characters) {
    counts.set_count(code_point, static_cast<std::uint64_t>(questions));
  }
  return counts;
}

}  // namespace qdedup::import
