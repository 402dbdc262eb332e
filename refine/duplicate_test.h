#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "refine/character_bag.h"
#include "refine/parts.h"

namespace qdedup::refine {

enum class Similarity { levenshtein, lcs };

// "levenshtein" or "lcs".
std::string_view name(Similarity similarity);

struct DuplicateSettings {
  int min_similarity = 80;  // percent, 1 to 100
  Similarity similarity = Similarity::levenshtein;
};

struct Comparison {
  bool same_signs = false;
  bool duplicate = false;    // same signs, and Han parts similar enough
  std::size_t distance = 0;  // between the Han parts; exact where it is within the limit, else a lower bound
  std::size_t length = 0;    // of the longer Han part, in code points
};

// The largest distance at which Han parts whose longer one has `length` code points are similar enough:
// (length - distance) * 100 >= min_similarity * length, in integers.
std::size_t distance_limit(std::size_t length, int min_similarity);

// The duplicate test (doc/rules.md, 3.3). Han parts are compared only when the signs are equal.
Comparison compare(const Parts& a, const Parts& b, const DuplicateSettings& settings);

// What the duplicate test sees of a question, with what makes it fast for a question that is compared often.
struct Comparand {
  explicit Comparand(Parts question_parts) : parts(std::move(question_parts)), bag(parts.han) {}

  Parts parts;
  CharacterBag bag;  // of the Han part
};

// The same, without a look at most Han parts that are not similar enough.
Comparison compare(const Comparand& a, const Comparand& b, const DuplicateSettings& settings);

// As compare, but with the exact distance whatever it is and whether the signs are equal or not: for
// explanations.
Comparison compare_in_full(const Parts& a, const Parts& b, const DuplicateSettings& settings);

}  // namespace qdedup::refine
