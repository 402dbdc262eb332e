#include "finder/substring_finder.h"

#include <algorithm>
#include <bit>

#include "base/containers.h"
#include "refine/features.h"
#include "refine/set_similarity.h"

namespace qdedup::finder {
namespace {

// Of each `window` consecutive grams, the one with the smallest upper half, because the lower halves must
// stay evenly distributed.
std::vector<std::uint64_t> winnowed(const std::vector<std::uint64_t>& grams, std::size_t window) {
  if (window <= 1 || grams.empty()) return grams;
  std::vector<std::uint64_t> chosen;
  for (std::size_t begin = 0; begin == 0 || begin + window <= grams.size(); ++begin) {
    const auto first = grams.begin() + static_cast<std::ptrdiff_t>(begin);
    chosen.push_back(
        *std::min_element(first, first + static_cast<std::ptrdiff_t>(std::min(window, grams.size()))));
  }
  return chosen;
}

}  // namespace

SubstringFinder::SubstringFinder(const SubstringSettings& settings, std::size_t max_keys)
    : KeyedFinder(max_keys), settings_(settings), texts_with_(settings.common > 0 ? min_counters : 0) {}

std::string SubstringFinder::name() const {
  return "substring gram " + std::to_string(settings_.gram) + " shared " + std::to_string(settings_.shared) +
         " window " + std::to_string(settings_.window) + " common " + std::to_string(settings_.common);
}

void SubstringFinder::expect(std::size_t texts) {
  KeyedFinder::expect(texts);
  if (settings_.common == 0) return;
  texts_with_.assign(std::max(min_counters, std::bit_ceil(counters_per_text * texts)), 0);
}

void SubstringFinder::learn(std::u32string_view text) {
  if (settings_.common == 0) return;
  std::vector<std::uint64_t> grams = refine::gram_hashes(text, settings_.gram);
  sort_unique(grams);
  for (const std::uint64_t gram : grams) ++texts_with_[counter_of(gram)];
}

Signature SubstringFinder::signature(std::u32string_view text) const {
  std::vector<std::uint64_t> grams = refine::gram_hashes(text, settings_.gram);
  if (settings_.common > 0) {
    std::erase_if(grams,
                  [&](std::uint64_t gram) { return texts_with_[counter_of(gram)] > settings_.common; });
  }
  Signature chosen;
  for (const std::uint64_t gram : winnowed(grams, settings_.window))
    chosen.push_back(static_cast<std::uint32_t>(gram));
  sort_unique(chosen);
  return chosen;
}

void SubstringFinder::append_keys(std::span<const std::uint32_t> signature,
                                  std::vector<std::uint32_t>& keys) const {
  keys.insert(keys.end(), signature.begin(), signature.end());
}

std::optional<Nearness> SubstringFinder::near(std::span<const std::uint32_t> a,
                                              std::span<const std::uint32_t> b) const {
  const std::size_t common = refine::common_count(a, b);
  const std::size_t smaller = std::min(a.size(), b.size());
  if (common == 0 || static_cast<double>(common) < settings_.shared * static_cast<double>(smaller)) return {};
  return static_cast<Nearness>(all_shared * common / smaller);
}

std::optional<GramChoice> longest_gram(std::span<const TextPair> pairs, SubstringSettings settings,
                                       unsigned wanted_percent) {
  settings.common = 0;
  const auto count_found = [&](std::size_t gram) {
    settings.gram = gram;
    const SubstringFinder finder(settings);
    return static_cast<std::size_t>(std::ranges::count_if(pairs, [&](const TextPair& pair) {
      return pair.first == pair.second ||
             finder.near(finder.signature(pair.first), finder.signature(pair.second));
    }));
  };
  std::optional<GramChoice> choice;
  for (std::size_t gram = SubstringSettings::min_gram; gram <= SubstringSettings::max_gram; ++gram) {
    const std::size_t found = count_found(gram);
    if (choice) choice->found_longer = found;
    if (found * 100 < wanted_percent * pairs.size()) break;
    choice = {gram, found, found};
  }
  return choice;
}

}  // namespace qdedup::finder
