#include "refine/duplicate_test.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/containers.h"
#include "refine/distance.h"
#include "refine/missing_parts.h"
#include "refine/normalise.h"
#include "refine/placed_marks.h"

namespace qdedup::refine {
namespace {

std::size_t han_distance(const Parts& a, const Parts& b, Similarity similarity, std::size_t cutoff) {
  return similarity == Similarity::lcs ? lcs_distance(a.han, b.han, cutoff)
                                       : levenshtein_distance(a.han, b.han, cutoff);
}

bool are_same(std::u32string_view a, std::u32string_view b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(char32_t)) == 0;
}

// Of two sets; two empty ones are equal.
void compare_sets(std::span<const Feature> a, std::span<const Feature> b, SetMeasure measure,
                  const DuplicateSettings& settings, Comparison& result) {
  const SetSizes sizes{a.size(), b.size(), common_count(a, b)};
  const bool are_empty = a.empty() && b.empty();
  result.length = whole_set;
  result.distance = are_empty ? 0 : whole_set - hundredths_alike(measure, sizes);
  const bool alike = are_empty
                         ? settings.signs == SignRule::equal
                         : are_alike(measure, sizes, static_cast<std::uint64_t>(settings.min_similarity));
  result.duplicate = result.same_signs && alike;
}

[[gnu::always_inline]] inline Comparison without_distance(const Parts& a, const Parts& b) {
  return {.same_signs = are_same(a.signs, b.signs), .length = std::max(a.han.size(), b.han.size())};
}

constexpr std::uint8_t longest_known = std::numeric_limits<std::uint8_t>::max();

std::uint64_t class_bit(char32_t c) { return std::uint64_t{1} << character_group(c, 6); }

// At least so many characters of `a` are not in `b`.
int only_in_first(const QuestionSketch& a, const QuestionSketch& b) {
  return std::popcount(a.once & ~b.once) + std::popcount(a.twice & ~b.twice);
}

void remove_figure_marks(std::u32string& text) {
  std::erase_if(text, [](char32_t c) { return is_figure_place(c) || is_image_mark(c); });
}

}  // namespace

std::u32string whole_text(std::string_view text) {
  std::u32string whole = normalise(text);
  remove_figure_marks(whole);
  return whole;
}

Parts compared_parts(std::string_view text, const DuplicateSettings& settings) {
  const bool compares_han = settings.compare == ComparedText::han;
  if (compares_han && settings.signs == SignRule::equal) return parts_of(text);
  if (settings.signs == SignRule::any && !compares_han) return {.signs = {}, .han = whole_text(text)};
  std::u32string normalised = normalise(text);
  Parts parts = split(normalised);
  remove_figure_marks(normalised);
  if (!compares_han) parts.han = std::move(normalised);
  if (settings.signs == SignRule::any) parts.signs.clear();
  return parts;
}

std::uint64_t compared_fingerprint(std::uint64_t sign_fingerprint, const DuplicateSettings& settings) {
  return settings.signs == SignRule::any ? refine::sign_fingerprint(Parts()) : sign_fingerprint;
}

bool may_have_duplicates(std::u32string_view han, const DuplicateSettings& settings) {
  if (settings.signs == SignRule::equal) return true;
  return set_measure(settings.similarity) ? !feature_set(han, settings).empty() : !han.empty();
}

std::vector<Feature> feature_set(std::u32string_view text, const DuplicateSettings& settings) {
  const std::size_t gram = settings.features == FeatureKind::words ? 0 : settings.gram;
  std::vector<Feature> features = Features({.gram = gram}).of(text);
  sort_unique(features);
  return features;
}

std::size_t distance_limit(std::size_t length, int min_similarity) {
  return length * static_cast<std::size_t>(100 - min_similarity) / 100;
}

LengthRange similar_lengths(std::size_t length, int min_similarity) {
  constexpr std::size_t no_end = std::numeric_limits<std::uint32_t>::max();
  const std::size_t min = length - distance_limit(length, min_similarity);
  if (min_similarity == 0) return {min, no_end};
  return {min, std::min(no_end, length * 100 / static_cast<std::size_t>(min_similarity))};
}

Comparison compare(const Parts& a, const Parts& b, const DuplicateSettings& settings) {
  Comparison result = without_distance(a, b);
  if (!result.same_signs) return result;
  if (const auto measure = set_measure(settings.similarity)) {
    compare_sets(feature_set(a.han, settings), feature_set(b.han, settings), *measure, settings, result);
    return result;
  }
  const std::size_t limit = distance_limit(result.length, settings.min_similarity);
  result.distance = are_same(a.han, b.han) ? 0 : han_distance(a, b, settings.similarity, limit);
  result.duplicate = result.distance <= limit && (result.length > 0 || settings.signs == SignRule::equal);
  return result;
}

CharacterBag::CharacterBag(std::u32string_view text) {
  for (const char32_t c : text) {
    std::uint8_t& count = counts_[character_group(c, 6)];
    if (count < std::numeric_limits<std::uint8_t>::max()) ++count;
  }
}

#if defined(__SSE2__)

std::size_t CharacterBag::min_distance(const CharacterBag& other) const {
  const __m128i zero = _mm_setzero_si128();
  __m128i more = zero;
  __m128i less = zero;
  for (std::size_t i = 0; i < size; i += 16) {
    const __m128i a = _mm_load_si128(reinterpret_cast<const __m128i*>(counts_.data() + i));
    const __m128i b = _mm_load_si128(reinterpret_cast<const __m128i*>(other.counts_.data() + i));
    more = _mm_add_epi64(more, _mm_sad_epu8(_mm_subs_epu8(a, b), zero));
    less = _mm_add_epi64(less, _mm_sad_epu8(_mm_subs_epu8(b, a), zero));
  }
  const auto sum = [](__m128i halves) {
    return static_cast<std::size_t>(_mm_cvtsi128_si32(halves)) +
           static_cast<std::size_t>(_mm_extract_epi16(halves, 4));
  };
  return std::max(sum(more), sum(less));
}

#else

std::size_t CharacterBag::min_distance(const CharacterBag& other) const {
  std::size_t more = 0;
  std::size_t less = 0;
  for (std::size_t i = 0; i < size; ++i) {
    more += static_cast<std::size_t>(std::max(0, counts_[i] - other.counts_[i]));
    less += static_cast<std::size_t>(std::max(0, other.counts_[i] - counts_[i]));
  }
  return std::max(more, less);
}

#endif

Comparand::Comparand(Parts compared, const DuplicateSettings& settings)
    : parts(std::move(compared)), bag(parts.han) {
  if (set_measure(settings.similarity)) features = feature_set(parts.han, settings);
}

Comparison compare(const Comparand& a, const Comparand& b, const DuplicateSettings& settings) {
  if (const auto measure = set_measure(settings.similarity)) {
    Comparison result = without_distance(a.parts, b.parts);
    if (result.same_signs) compare_sets(a.features, b.features, *measure, settings, result);
    return result;
  }
  const std::size_t length = std::max(a.parts.han.size(), b.parts.han.size());
  const std::size_t limit = distance_limit(length, settings.min_similarity);
  if (a.bag.min_distance(b.bag) <= limit) return compare(a.parts, b.parts, settings);
  Comparison result = without_distance(a.parts, b.parts);
  if (result.same_signs) result.distance = limit + 1;
  return result;
}

Comparison compare_in_full(const Parts& a, const Parts& b, const DuplicateSettings& settings) {
  Comparison result = compare(a, b, settings);
  if (const auto measure = set_measure(settings.similarity)) {
    compare_sets(feature_set(a.han, settings), feature_set(b.han, settings), *measure, settings, result);
  } else {
    result.distance = han_distance(a, b, settings.similarity, std::numeric_limits<std::size_t>::max());
  }
  return result;
}

QuestionSketch sketch_of(const Parts& parts) {
  QuestionSketch sketch;
  for (const char32_t c : parts.han) {
    const std::uint64_t bit = class_bit(c);
    sketch.twice |= sketch.once & bit;
    sketch.once |= bit;
  }
  sketch.signs = static_cast<std::uint32_t>(sign_fingerprint(parts));
  sketch.han_length = static_cast<std::uint8_t>(std::min<std::size_t>(parts.han.size(), longest_known));
  return sketch;
}

// The lengths of long Han parts are not known. Two of them may be duplicates; with a shorter one, they are
// the less alike the longer they are.
bool may_be_duplicates(const QuestionSketch& a, const QuestionSketch& b, const DuplicateSettings& settings) {
  if (settings.signs == SignRule::equal && a.signs != b.signs) return false;
  if (settings.compare == ComparedText::text || set_measure(settings.similarity)) return true;
  const std::uint8_t length = std::max(a.han_length, b.han_length);
  const auto limit = static_cast<int>(distance_limit(length, settings.min_similarity));
  if (std::abs(int{a.han_length} - int{b.han_length}) > limit) return false;
  return length == longest_known || std::max(only_in_first(a, b), only_in_first(b, a)) <= limit;
}

}  // namespace qdedup::refine
