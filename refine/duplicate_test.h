#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/question_sketch.h"
#include "refine/parts.h"

namespace qdedup::refine {

// A longer text (UTF-8, without markup) is not compared; the bank keeps it as the original of an empty one.
inline constexpr std::size_t max_compared_bytes = 65'536;

// Can the text be anybody's duplicate?
inline bool is_compared(std::string_view text) { return !text.empty() && text.size() <= max_compared_bytes; }

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

// One of 2^bits groups of characters, evenly spread; `bits` is 1 to 31.
inline std::uint32_t character_group(char32_t c, unsigned bits) { return (c * 0x9E3779B1U) >> (32U - bits); }

// The duplicate test (doc/rules.md, 3.3). Han parts are compared only when the signs are equal.
Comparison compare(const Parts& a, const Parts& b, const DuplicateSettings& settings);

// How often characters of each of 64 groups occur in a text, up to 255. Tells most texts that are not alike
// apart in a few nanoseconds.
class CharacterBag {
 public:
  // Linear.
  explicit CharacterBag(std::u32string_view text);

  // A lower bound of levenshtein_distance and lcs_distance of the two texts: an edit takes at most one
  // character out of the bag and puts at most one in.
  [[nodiscard]] std::size_t min_distance(const CharacterBag& other) const;

 private:
  static constexpr std::size_t size = 64;

  alignas(16) std::array<std::uint8_t, size> counts_{};
};

// What the duplicate test sees of a question, with what makes it fast for a question that is compared often.
struct Comparand {
  explicit Comparand(Parts question_parts) : parts(std::move(question_parts)), bag(parts.han) {}

  Parts parts;
  CharacterBag bag;  // of the Han part
};

// The same, mostly without comparing Han parts that are not similar enough.
Comparison compare(const Comparand& a, const Comparand& b, const DuplicateSettings& settings);

// As compare, but with the exact distance whatever it is and whether the signs are equal or not: for
// explanations.
Comparison compare_in_full(const Parts& a, const Parts& b, const DuplicateSettings& settings);

// Linear.
QuestionSketch sketch_of(const Parts& parts);

// Whether questions with these sketches may be duplicates. If not, they are none: each character that the
// other Han part lacks has to be edited, and so has each that it is longer by. A few nanoseconds.
bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings);

}  // namespace qdedup::refine
