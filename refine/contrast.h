#pragma once

#include <cstddef>
#include <optional>
#include <span>
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
//   negation           a negating word stands in one of them only
//   polarity:X/Y       one has X where the other has its opposite Y (as in refine/data/opposites.txt)
//   number-word        a number written as a word differs
//   number-moved       the numbers, letters or symbols stand with other words
//   unit               a unit differs or is missing
//   quantity           a word that names or relates quantities differs, or one such as 只 or 都
//   role-swap          words have changed places
//   renamed-part       something is named otherwise in one place, but not everywhere
//   renamed            a person, or a thing of a calculation, is named otherwise throughout
//   repeated           one says again what the other says elsewhere
//   asks-else          the clause that asks differs otherwise
//   stem-differs       so does what stands before the options, or the story
//   option-differs     an option does, or only one of them has it
//   options-reordered  an option of one stands elsewhere in the other
//   filler             a word that may come and go
//   synonym            two words of one meaning
//   misspelling        two characters that are written for one another
// Whatever the words say, these are reasons for doubt:
//   answer-differs     both have an answer, and not the same
//   notation           a mark differs that the duplicate test drops (refine/dropped_notation.h)
//   signs-differ       their signs, which the settings may let pass (doc/rules.md, 3); the model knows no
//                      such pairs
//   needs-figure       a short text points at something that is not in it (refine/missing_parts.h)
//   too-short          one of them is too little to be a question
//   too-long           they differ, and are too long to be read word by word
// And this is no difference (both ranges are empty):
//   same-answer        both have an answer, the same
struct Finding {
  std::string kind;
  CodePointRange question;
  CodePointRange keeper;

  friend bool operator==(const Finding&, const Finding&) = default;
};

inline constexpr std::string_view answer_differs = "answer-differs";

// These kinds, "polarity" without the two words.
std::span<const std::string> finding_kinds();

// What tells a question from its keeper.
struct Contrast {
  Confidence confidence = Confidence::safe;
  Risk risk;
  std::vector<Finding> reasons;   // for doubt: empty if and only if safe
  std::vector<Finding> harmless;  // the other differences

  friend bool operator==(const Contrast&, const Contrast&) = default;
};

// Does `question` ask the same as `keeper`? For two questions that pass the duplicate test (doc/rules.md, 3);
// of others it finds some of the differences. Exchanging the two exchanges the ranges and nothing else.
// Deterministic; `bank` tells common characters from rare ones, and with fewer than a thousand questions no
// character counts as common or rare. The risk is the model's, which judges by the words: a pair of low risk
// is doubtful all the same if there is another reason. Time as align(), and linear but for that; texts of
// more than 24 KiB that differ are doubtful without a look at their words.
Contrast contrast(const QuestionText& question, const QuestionText& keeper, const CharacterCounts& bank,
                  const ContrastSettings& settings);

// Do both have an answer that is more than white space, and not the same?
bool answers_differ(const QuestionText& a, const QuestionText& b);

// What estimates the risk under these settings.
const RiskModel& model_of(const ContrastSettings& settings);

// Is there a reason for doubt, whatever the words say?
bool is_doubtful_beside_words(const Contrast& contrast);

// The kinds of the reasons, in order of first appearance. Empty if safe.
Reasons reasons_of(const Contrast& contrast);

}  // namespace qdedup::refine
