#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_sketch.h"
#include "refine/duplicate_settings.h"
#include "refine/features.h"
#include "refine/parts.h"

namespace qdedup::refine {

// A longer text (UTF-8, without markup) is not compared; the bank keeps it as the original of an empty one.
inline constexpr std::size_t max_compared_bytes = 65'536;

// Can the text be anybody's duplicate?
inline bool is_compared(std::string_view text) { return !text.empty() && text.size() <= max_compared_bytes; }

// The normal form of a text without the places of its figures, whose signs are behind it.
std::u32string whole_text(std::string_view text);

// What the duplicate test compares of a text: its signs, unless they do not count (then there are none), and
// in `han` its Han part, or whole_text() in its place. Linear.
Parts compared_parts(std::string_view text, const DuplicateSettings& settings);

// The fingerprint of what is compared of the signs, of a question with this one of all its signs.
std::uint64_t compared_fingerprint(std::uint64_t sign_fingerprint, const DuplicateSettings& settings);

// Without signs, a text of which nothing is compared is nobody's duplicate; with them, it is one of any such
// text with the same signs.
bool may_have_duplicates(std::u32string_view han, const DuplicateSettings& settings);

// The different features of a text that a set measure counts, ascending.
std::vector<Feature> feature_set(std::u32string_view text, const DuplicateSettings& settings);

// The distance between two texts is a number of characters, of `length` of the longer one. By a set measure,
// it is what they lack of being equal, in hundredths of a percent, and length is `whole_set`.
inline constexpr std::size_t whole_set = 10'000;

struct Comparison {
  bool same_signs = false;
  bool duplicate = false;    // same signs, and texts that are similar enough
  std::size_t distance = 0;  // exact where it is within the limit, else a lower bound
  std::size_t length = 0;
};

// The largest distance at which Han parts whose longer one has `length` code points are similar enough:
// (length - distance) * 100 >= min_similarity * length, in integers.
std::size_t distance_limit(std::size_t length, int min_similarity);

struct LengthRange {
  std::size_t min;
  std::size_t max;

  [[nodiscard]] bool contains(std::size_t length) const { return min <= length && length <= max; }
};

// The range of lengths that can reach min_similarity with a Han part of `length`.
LengthRange similar_lengths(std::size_t length, int min_similarity);

// One of 2^bits groups of characters, evenly spread; `bits` is 1 to 31.
inline std::uint32_t character_group(char32_t c, unsigned bits) { return (c * 0x9E3779B1U) >> (32U - bits); }

// The duplicate test (doc/rules.md, 3.3) on compared_parts(). Texts are compared only when the signs are
// equal.
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
  Comparand(Parts compared, const DuplicateSettings& settings);

  Parts parts;
  CharacterBag bag;               // of parts.han
  std::vector<Feature> features;  // feature_set() of it; empty unless a set measure counts them
};

// The same, mostly without comparing texts that are not similar enough. Both were made for these settings.
Comparison compare(const Comparand& a, const Comparand& b, const DuplicateSettings& settings);

// As compare, but with the exact distance whatever it is and whether the signs are equal or not: for
// explanations.
Comparison compare_in_full(const Parts& a, const Parts& b, const DuplicateSettings& settings);

// Of all parts of a text (parts_of). Linear.
QuestionSketch sketch_of(const Parts& parts);

// Whether questions with these sketches may be duplicates. If not, they are none: each character that the
// other Han part lacks has to be edited, and so has each that it is longer by. Of whole texts, and of sets,
// sketches tell nothing but the signs. A few nanoseconds.
bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings);

}  // namespace qdedup::refine
