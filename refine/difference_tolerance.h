#pragma once

#include "refine/character_counts.h"
#include "refine/layout_comparison.h"

namespace qdedup::refine {

// How far two stems may differ in other words than fillers and still ask the same.
class DifferenceTolerance {
 public:
  // Refers to its arguments. `calculates`: the questions are to be calculated.
  DifferenceTolerance(const Part& a, const Part& b, bool calculates, const CharacterCounts& bank)
      : a_(a), b_(b), calculates_(calculates), bank_(bank) {}

  // May this be said although it names quantities or stands in the clause that asks? A place named at the
  // very start; in the question, words that the other one has there too.
  [[nodiscard]] bool exempts(const Difference& difference) const;

  // Do quantities in this difference not count? In two phrases of the story, and in an aside to a long one.
  [[nodiscard]] bool overlooks_quantities(const Difference& difference) const;

  // May the words of the difference occur elsewhere too? A single character in the story of a long question:
  // it is likely part of several words.
  [[nodiscard]] bool may_mention_elsewhere(const Difference& difference) const;

  // May the words that `from` takes away stand where `to` adds them? If they are the same words of the story
  // and move past no sign, number, person or relation, and are none.
  [[nodiscard]] bool allows_move(const Difference& from, const Difference& to) const;

  // May words that name no quantity differ so? In a story that a calculation starts from, a few; else a word
  // more in a stem that is long for it, and a few in a long story.
  [[nodiscard]] bool allows_wording(const Difference& difference) const;

 private:
  [[nodiscard]] bool ends_verb(const Difference& difference) const;
  [[nodiscard]] bool names_place(const Difference& difference) const;
  [[nodiscard]] bool counts_in_turn(const Difference& difference) const;
  [[nodiscard]] bool is_echo(const Difference& difference) const;
  [[nodiscard]] bool names_base(const Difference& difference) const;
  [[nodiscard]] bool names_all(const Difference& difference) const;
  [[nodiscard]] bool distributes(const Difference& difference) const;
  [[nodiscard]] bool adds_to_long_question(const Difference& difference) const;
  [[nodiscard]] bool is_told_otherwise(const Difference& difference) const;
  [[nodiscard]] bool is_slight(const Difference& difference) const;
  [[nodiscard]] bool is_repetition(const Difference& difference) const;
  [[nodiscard]] bool is_common(std::u32string_view characters) const;
  [[nodiscard]] std::size_t length() const;
  // Of a one-sided difference: the stem that has words here, and the other.
  [[nodiscard]] const Part& longer(const Difference& difference) const;
  [[nodiscard]] const Part& shorter(const Difference& difference) const;
  [[nodiscard]] std::u32string_view more(const Difference& difference) const;

  const Part& a_;
  const Part& b_;
  bool calculates_;
  const CharacterCounts& bank_;
};

}  // namespace qdedup::refine
