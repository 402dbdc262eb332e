#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "import/line_reader.h"

namespace qdedup::review {

// A reader's judgement of two questions that pass the duplicate test.
enum class PairLabel : std::uint8_t {
  same,
  different,  // they ask something else
  reordered,  // the same question with its options in another order, or with another distractor
  unclear,
  unknown,
};

inline constexpr std::size_t pair_label_count = 5;

// "same", "different", …
std::string_view label_name(PairLabel label);

struct LabelledPair {
  QuestionId small_id = 0;
  QuestionId large_id = 0;
  PairLabel label = PairLabel::unknown;
  std::string labelled_by;  // may be empty
  std::string subject;      // may be empty

  friend bool operator==(const LabelledPair&, const LabelledPair&) = default;
};

// Reads pairs from TSV. The header names the columns, in any order: small_id, large_id and label, and
// optionally labelled_by and subject; others are ignored. Errors start with file:line.
Result<std::vector<LabelledPair>> read_labelled_pairs(import::LineReader lines);

}  // namespace qdedup::review
