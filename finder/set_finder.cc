#include "finder/set_finder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/containers.h"
#include "base/mixed_bits.h"

namespace qdedup::finder {

using refine::SetMeasure;

SetFinder::SetFinder(const SetSettings& settings)
    : KeyedFinder(max_index_keys, std::numeric_limits<std::size_t>::max()),
      settings_(settings),
      features_(settings.features) {}

std::string SetFinder::name() const {
  return std::string(settings_.measure == SetMeasure::jaccard ? "jaccard " : "cosine ") +
         std::to_string(settings_.min_similarity) + " " + features_.name();
}

void SetFinder::learn(std::u32string_view text) {
  std::vector<refine::Feature> features = features_.of(text);
  sort_unique(features);
  for (const refine::Feature feature : features) {
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
    refine::Feature feature;
  };
  std::vector<Known> known;
  known.reserve(numbers_.size());
  for (const auto& [feature, number] : numbers_)
    known.push_back({features_.weight(feature), texts_with_[number], feature});
  release(texts_with_);
  std::ranges::sort(known, [](const Known& a, const Known& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::pair(a.texts, a.feature) < std::pair(b.texts, b.feature);
  });
  for (std::uint32_t rank = 0; rank < known.size(); ++rank) numbers_[known[rank].feature] = rank;
}

Signature SetFinder::signature(std::u32string_view text) const {
  Signature ranks;
  for (const refine::Feature feature : features_.of(text)) ranks.push_back(numbers_.at(feature));
  sort_unique(ranks);
  if (const std::size_t keywords = features_.keywords(); keywords > 0 && ranks.size() > keywords)
    ranks.resize(keywords);
  return ranks;
}

void SetFinder::append_keys(std::span<const std::uint32_t> signature,
                            std::vector<std::uint32_t>& keys) const {
  if (signature.empty()) return;
  const std::size_t count =
      signature.size() - refine::min_common(settings_.measure, signature.size(), settings_.min_similarity) +
      1;
  for (const std::uint32_t rank : signature.first(count))
    keys.push_back(static_cast<std::uint32_t>(mixed_bits(rank + 1U) >> 32U));
}

std::optional<Nearness> SetFinder::near(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b) const {
  const std::uint64_t larger = std::max(a.size(), b.size());
  if (std::min(a.size(), b.size()) < refine::min_common(settings_.measure, larger, settings_.min_similarity))
    return {};
  const refine::SetSizes sizes{a.size(), b.size(), refine::common_count(a, b)};
  if (!refine::are_alike(settings_.measure, sizes, settings_.min_similarity)) return {};
  return static_cast<Nearness>(refine::hundredths_alike(settings_.measure, sizes));
}

}  // namespace qdedup::finder
