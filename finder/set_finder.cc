#include "finder/set_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/sort_unique.h"
#include "finder/grams.h"

namespace qdedup::finder {
namespace {

constexpr std::uint64_t percent = 100;

std::uint64_t quotient_rounded_up(std::uint64_t dividend, std::uint64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

}  // namespace

SetFinder::SetFinder(const SetSettings& settings)
    : KeyedFinder(max_index_keys, std::numeric_limits<std::size_t>::max()),
      settings_(settings),
      features_(settings.features) {}

std::string SetFinder::name() const {
  return std::string(settings_.measure == SetMeasure::jaccard ? "jaccard " : "cosine ") +
         std::to_string(settings_.min_similarity) + " " + features_.name();
}

void SetFinder::learn(std::u32string_view text) {
  std::vector<Feature> features = features_.of(text);
  sort_unique(features);
  for (const Feature feature : features) {
    const auto number =
        numbers_.try_emplace(feature, static_cast<std::uint32_t>(numbers_.size())).first->second;
    if (number == texts_with_.size()) texts_with_.push_back(0);
    ++texts_with_[number];
  }
}

void SetFinder::finish_learning() {
  struct Known {
    unsigned weight;
    std::uint32_t texts;
    Feature feature;
  };
  std::vector<Known> known;
  known.reserve(numbers_.size());
  for (const auto& [feature, number] : numbers_)
    known.push_back({features_.weight(feature), texts_with_[number], feature});
  texts_with_ = {};
  std::ranges::sort(known, [](const Known& a, const Known& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::pair(a.texts, a.feature) < std::pair(b.texts, b.feature);
  });
  for (std::uint32_t rank = 0; rank < known.size(); ++rank) numbers_[known[rank].feature] = rank;
}

Signature SetFinder::signature(std::u32string_view text) const {
  Signature ranks;
  for (const Feature feature : features_.of(text)) ranks.push_back(numbers_.at(feature));
  sort_unique(ranks);
  if (const std::size_t keywords = features_.keywords(); keywords > 0 && ranks.size() > keywords)
    ranks.resize(keywords);
  return ranks;
}

// How much a set of this size has in common with any set that is near it.
std::uint64_t SetFinder::min_common(std::uint64_t size) const {
  const std::uint64_t share = settings_.min_similarity;
  return settings_.measure == SetMeasure::jaccard
             ? quotient_rounded_up(share * size, percent)
             : quotient_rounded_up(share * share * size, percent * percent);
}

void SetFinder::append_keys(std::span<const std::uint32_t> signature,
                            std::vector<std::uint32_t>& keys) const {
  if (signature.empty()) return;
  const std::size_t count = signature.size() - min_common(signature.size()) + 1;
  for (const std::uint32_t rank : signature.first(count))
    keys.push_back(static_cast<std::uint32_t>(mixed_bits(rank + 1U) >> 32U));
}

std::optional<Nearness> SetFinder::near(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b) const {
  const std::uint64_t smaller = std::min(a.size(), b.size());
  if (smaller < min_common(std::max(a.size(), b.size()))) return {};
  const std::uint64_t common = common_numbers(a, b);
  const std::uint64_t share = settings_.min_similarity;
  if (settings_.measure == SetMeasure::jaccard) {
    const std::uint64_t together = a.size() + b.size() - common;
    if (percent * common < share * together) return {};
    return static_cast<Nearness>(all_shared * common / together);
  }
  const std::uint64_t product = std::uint64_t{a.size()} * b.size();
  if (percent * percent * common * common < share * share * product) return {};
  return static_cast<Nearness>(all_shared * static_cast<double>(common) /
                               std::sqrt(static_cast<double>(product)));
}

}  // namespace qdedup::finder
