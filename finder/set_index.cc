#include "finder/set_index.h"

#include <algorithm>
#include <utility>

#include "base/containers.h"

namespace qdedup::finder {
namespace {

using refine::Feature;

constexpr std::size_t counters = std::size_t{1} << 20U;

}  // namespace

SetIndex::SetIndex(const refine::DuplicateSettings& settings)
    : settings_(settings),
      measure_(*refine::set_measure(settings.similarity)),
      min_similarity_(static_cast<std::uint64_t>(settings.min_similarity)) {}

// A feature takes 8 bytes; a place 4, with its share of the spare capacity and of the table some 40.
std::size_t SetIndex::bytes_each(std::size_t length, const refine::DuplicateSettings& settings) {
  constexpr std::size_t bytes_of_place = 40;
  const auto needed = refine::min_common(*refine::set_measure(settings.similarity), length,
                                         static_cast<std::uint64_t>(settings.min_similarity));
  return 2 * sizeof(Feature) * length + bytes_of_place * (length - needed + 1) + sizeof(Text);
}

void SetIndex::learn(std::u32string_view text) {
  if (texts_with_.empty()) texts_with_.resize(counters);
  for (const Feature feature : refine::feature_set(text, settings_)) ++texts_with_[counter_of(feature)];
}

std::vector<Feature> SetIndex::first_of(std::span<const Feature> set) const {
  const std::size_t count = set.size() - refine::min_common(measure_, set.size(), min_similarity_) + 1;
  std::vector<Feature> first(set.begin(), set.end());
  const auto rank = [this](Feature feature) {
    return std::pair(texts_with_.empty() ? 0 : texts_with_[counter_of(feature)], feature);
  };
  if (count < first.size()) {
    std::ranges::nth_element(first, first.begin() + static_cast<std::ptrdiff_t>(count), {}, rank);
    first.resize(count);
  }
  return first;
}

void SetIndex::add(std::uint32_t number, std::u32string_view text) {
  const std::vector<Feature> set = refine::feature_set(text, settings_);
  if (set.empty()) {
    empty_.push_back(number);
    return;
  }
  const auto place = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back({number, static_cast<std::uint32_t>(set.size()), features_.size()});
  features_.insert(features_.end(), set.begin(), set.end());
  for (const Feature feature : first_of(set)) places_[feature].push_back(place);
}

bool SetIndex::is_similar(std::span<const Feature> a, std::span<const Feature> b) const {
  return refine::are_alike(measure_, {a.size(), b.size(), refine::common_count(a, b)}, min_similarity_);
}

void SetIndex::find_all(std::u32string_view text, std::vector<std::uint32_t>& found,
                        const std::function<void()>& compared) const {
  found.clear();
  const std::vector<Feature> set = refine::feature_set(text, settings_);
  if (set.empty()) {
    if (settings_.signs == refine::SignRule::equal) found = empty_;
    return;
  }
  for (const Feature feature : first_of(set)) {
    const auto places = places_.find(feature);
    if (places != places_.end()) found.insert(found.end(), places->second.begin(), places->second.end());
  }
  sort_unique(found);
  std::erase_if(found, [&](std::uint32_t place) {
    const std::span<const Feature> other = set_of(texts_[place]);
    const std::size_t larger = std::max(set.size(), other.size());
    if (std::min(set.size(), other.size()) < refine::min_common(measure_, larger, min_similarity_))
      return true;
    compared();
    return !is_similar(set, other);
  });
  for (std::uint32_t& place : found) place = texts_[place].number;
  std::ranges::sort(found);
}

}  // namespace qdedup::finder
