#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refine/character_counts.h"
#include "refine/confidence.h"
#include "refine/missing_parts.h"

namespace qdedup::refine {

// A question as the bank has it, UTF-8.
struct QuestionText {
  std::string_view text;
  std::optional<std::string_view> answer = std::nullopt;
};

// Code points [begin, end) of an original text. An empty range says where the other text has more.
struct CodePointRange {
  std::size_t begin;
  std::size_t end;

  friend bool operator==(const CodePointRange&, const CodePointRange&) = default;
};

// Something in which two questions differ, and where. `kind` is a word of a fixed vocabulary.
//
// Reasons for doubt:
//   negation           a negating word stands in one of them only
//   polarity:X/Y       one has X where the other has its opposite Y (as in refine/data/opposites.txt)
//   number-word        a number written as a word differs
//   number-moved       the numbers, letters or symbols stand with other words
//   unit               a unit differs or is missing
//   quantity           a word that names or relates quantities differs
//   role-swap          words have changed places
//   renamed-part       something is named otherwise in one place, but not everywhere
//   asks-else          the clause that asks differs
//   stem-differs       what stands before the options, or the story, differs otherwise
//   options-reordered  the options stand in another order, or one is another
//   answer-differs     both have an answer, and not the same
//   notation           a mark differs that the duplicate test drops (refine/dropped_notation.h)
//   needs-figure       a short text points at something that is not in it (refine/missing_parts.h)
//   too-short          one of them is too little to be a question
// Harmless differences:
//   filler             a word that may come and go
//   synonym            two words of one meaning
//   misspelling        two characters that are written for one another
//   renamed            a person or a thing is named otherwise throughout
//   wording            the story, or a long option, is told in other words
//   same-answer        both have an answer, the same (not a difference; both ranges are empty)
struct Finding {
  std::string kind;
  CodePointRange question;
  CodePointRange keeper;

  friend bool operator==(const Finding&, const Finding&) = default;
};

// What tells a question from its keeper.
struct Contrast {
  Confidence confidence = Confidence::safe;
  Risk risk;
  std::vector<Finding> reasons;   // for doubt: empty if and only if safe
  std::vector<Finding> harmless;  // differences that change nothing

  friend bool operator==(const Contrast&, const Contrast&) = default;
};

// Does `question` ask the same as `keeper`? For two questions that pass the duplicate test (doc/rules.md, 3);
// of others it finds some of the differences. Exchanging the two exchanges the ranges and nothing else.
// Deterministic; `bank` tells common characters from rare ones, and with fewer than a thousand questions no
// character counts as common or rare. Linear in the lengths, times the number of differences; texts of more
// than 24 KiB that differ are doubtful without a look at their words.
Contrast contrast(const QuestionText& question, const QuestionText& keeper, const CharacterCounts& bank,
                  const ContrastSettings& settings);

// What the risk was estimated with: a name that changes with every change of the estimate.
std::string_view contrast_weights_name();

// The kinds of the reasons, in order of first appearance. Empty if safe.
Reasons reasons_of(const Contrast& contrast);

}  // namespace qdedup::refine
