#include "tests/reference/duplicates.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "refine/words.h"
#include "tests/reference/normalising.h"
#include "tests/reference/splitting.h"
#include "tests/reference/text_distance.h"

namespace qdedup::reference {
namespace {

using refine::DuplicateSettings;
using refine::Similarity;
using Set = std::set<std::u32string>;

Set features_of(std::u32string_view text, const DuplicateSettings& settings) {
  Set features;
  if (settings.features == refine::FeatureKind::words) {
    for (const std::u32string_view word : refine::words_of(text)) features.emplace(word);
    return features;
  }
  if (!text.empty() && text.size() < settings.gram) features.emplace(text);
  for (std::size_t at = 0; at + settings.gram <= text.size(); ++at)
    features.emplace(text.substr(at, settings.gram));
  return features;
}

std::uint64_t in_common(const Set& a, const Set& b) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(a, [&](const std::u32string& feature) { return b.contains(feature); }));
}

bool are_alike_by_sets(const Set& a, const Set& b, const DuplicateSettings& settings) {
  if (a.empty() && b.empty()) return settings.signs == refine::SignRule::equal;
  if (a.empty() || b.empty()) return false;
  const auto percent = static_cast<std::uint64_t>(settings.min_similarity);
  const std::uint64_t common = in_common(a, b);
  if (settings.similarity == Similarity::jaccard) {
    Set together = a;
    together.insert(b.begin(), b.end());
    return common * 100 >= percent * together.size();
  }
  return common * common * 10'000 >= percent * percent * a.size() * b.size();
}

}  // namespace

bool are_alike(std::u32string_view a, std::u32string_view b, const DuplicateSettings& settings) {
  if (settings.similarity == Similarity::jaccard || settings.similarity == Similarity::cosine)
    return are_alike_by_sets(features_of(a, settings), features_of(b, settings), settings);
  if (a.empty() && b.empty()) return settings.signs == refine::SignRule::equal;
  const std::size_t length = std::max(a.size(), b.size());
  const std::size_t distance =
      settings.similarity == Similarity::lcs ? lcs_distance(a, b) : levenshtein_distance(a, b);
  return (length - distance) * 100 >= static_cast<std::size_t>(settings.min_similarity) * length;
}

std::uint64_t hundredths_alike(std::u32string_view a, std::u32string_view b,
                               const DuplicateSettings& settings) {
  const Set first = features_of(a, settings);
  const Set second = features_of(b, settings);
  if (first.empty() && second.empty()) return 10'000;
  if (first.empty() || second.empty()) return 0;
  const std::uint64_t common = in_common(first, second);
  const std::uint64_t together = first.size() + second.size() - common;
  std::uint64_t hundredths = 0;
  // Is it half of the next hundredth or more?
  const auto is_more = [&] {
    const std::uint64_t half = 2 * hundredths + 1;
    if (settings.similarity == Similarity::jaccard) return 20'000 * common >= half * together;
    return 400'000'000 * common * common >= half * half * first.size() * second.size();
  };
  while (is_more()) ++hundredths;
  return hundredths;
}

SeenText see(const std::string& text) {
  std::u32string whole = normalise(text);
  SplitText parts = split(whole);
  std::erase_if(whole, [](char32_t c) { return c >= 0xE0800 && c <= 0xE1FFF; });  // what tells of figures
  return {std::move(parts.signs), std::move(parts.han), std::move(whole)};
}

bool are_duplicates(const SeenText& a, const SeenText& b, const DuplicateSettings& settings) {
  if (settings.signs == refine::SignRule::equal && a.signs != b.signs) return false;
  return settings.compare == refine::ComparedText::text ? are_alike(a.whole, b.whole, settings)
                                                        : are_alike(a.han, b.han, settings);
}

bool are_duplicates(const std::string& a, const std::string& b, const DuplicateSettings& settings) {
  return are_duplicates(see(a), see(b), settings);
}

}  // namespace qdedup::reference
