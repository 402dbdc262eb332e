#include "import/question_characters.h"

#include <cstdint>
#include <utility>

namespace qdedup::import {

void QuestionCharacters::enter(std::string_view text) { enter(refine::DecodedText(text)); }

void QuestionCharacters::enter(const refine::DecodedText& text) {
  changes_.enter(text.code_points());
  ++questions_;
}

void QuestionCharacters::leave(std::string_view text) {
  changes_.leave(text);
  --questions_;
}

void QuestionCharacters::add(const db::CharacterSums& changes) {
  for (const auto& [code_point, questions] : changes.characters) changes_.add(code_point, questions);
  questions_ += changes.questions;
}

db::CharacterSums QuestionCharacters::take() { return {std::exchange(questions_, 0), changes_.take()}; }

refine::CharacterCounts character_counts(const db::CharacterSums& sums) {
  refine::CharacterCounts counts;
  counts.set_questions(static_cast<std::uint64_t>(sums.questions));
  for (const auto& [code_point, questions] : sums.characters) {
    counts.set_count(code_point, static_cast<std::uint64_t>(questions));
  }
  return counts;
}

}  // namespace qdedup::import
