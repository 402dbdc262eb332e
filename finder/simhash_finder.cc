#include "finder/simhash_finder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "base/containers.h"

namespace qdedup::finder {
namespace {

constexpr unsigned simhash_bits = 64;

std::uint32_t number_of(const HashRecord& record) { return static_cast<std::uint32_t>(record.number); }

}  // namespace

std::uint64_t SimhashFinder::hash_of(std::span<const std::uint32_t> signature) {
  return std::uint64_t{signature[0]} << 32U | signature[1];
}

SimhashFinder::SimhashFinder(const SimhashSettings& settings)
    : settings_(settings), features_(settings.features), texts_with_(counters) {}

std::string SimhashFinder::name() const {
  return "simhash distance " + std::to_string(settings_.distance) + " " + features_.name() + " stop " +
         std::to_string(settings_.stop_share) + " above " + std::to_string(min_stop_texts);
}

void SimhashFinder::learn(std::u32string_view text) {
  ++texts_;
  std::vector<refine::Feature> features = features_.of(text);
  sort_unique(features);
  for (const refine::Feature feature : features) ++texts_with_[feature % counters];
}

double SimhashFinder::rarity(refine::Feature feature) const {
  if (texts_ == 0) return 1;
  const double with = texts_with_[feature % counters];
  if (with > settings_.stop_share * texts_ && with > min_stop_texts) return 0;
  return std::log((texts_ + 1.0) / (with + 1.0)) + 1.0;
}

// The features with their weights, by hash; without those that weigh nothing.
std::vector<SimhashFinder::Weighted> SimhashFinder::weighted(std::u32string_view text) const {
  std::vector<refine::Feature> features = features_.of(text);
  std::ranges::sort(features);
  std::vector<Weighted> weighted;
  for (std::size_t begin = 0; begin < features.size();) {
    std::size_t end = begin;
    while (end < features.size() && features[end] == features[begin]) ++end;
    const refine::Feature feature = features[begin];
    const double weight = static_cast<double>(end - begin) * features_.weight(feature) * rarity(feature);
    if (weight > 0) weighted.push_back({feature, weight});
    begin = end;
  }
  return weighted;
}

Signature SimhashFinder::signature(std::u32string_view text) const {
  std::vector<Weighted> features = weighted(text);
  if (features.empty()) return {};
  if (const std::size_t keywords = features_.keywords(); keywords > 0 && features.size() > keywords) {
    std::ranges::stable_sort(features, std::ranges::greater(), &Weighted::weight);
    features.resize(keywords);
  }
  std::array<double, simhash_bits> sums{};
  for (const Weighted& of_text : features) {
    for (unsigned bit = 0; bit < simhash_bits; ++bit)
      sums[bit] += (of_text.feature >> bit & 1U) != 0 ? of_text.weight : -of_text.weight;
  }
  std::uint64_t hash = 0;
  for (unsigned bit = 0; bit < simhash_bits; ++bit) hash |= std::uint64_t{sums[bit] > 0 ? 1U : 0U} << bit;
  return {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash)};
}

std::optional<Nearness> SimhashFinder::near(std::span<const std::uint32_t> a,
                                            std::span<const std::uint32_t> b) const {
  const auto bits = static_cast<Nearness>(std::popcount(hash_of(a) ^ hash_of(b)));
  return bits <= settings_.distance ? std::optional(bits) : std::nullopt;
}

void SimhashFinder::add(std::uint32_t number, std::span<const std::uint32_t> signature) {
  records_.push_back({hash_of(signature), number});
}

// The first of several texts with the same hash represents all of them.
Status SimhashFinder::build(const Take& take, const std::function<void()>& moved) {
  std::ranges::sort(records_);
  std::size_t kept = 0;
  for (const HashRecord& record : records_) {
    if (kept > 0 && records_[kept - 1].hash == record.hash) {
      take(number_of(record), number_of(records_[kept - 1]), 0);
    } else {
      records_[kept++] = record;
    }
  }
  records_.resize(kept);
  moved();
  index_.emplace(HammingPlan::of(settings_.distance, kept), std::move(records_), moved);
  return {};
}

std::uint64_t SimhashFinder::find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                  const Take& take) const {
  std::uint64_t candidates = 0;
  for (std::size_t place = begin; place < end; ++place) {
    const HashRecord& record = index_->at(place);
    candidates += index_->find(record.hash, [&](const HashRecord& near) {
      if (near.number >= record.number || !wanted(number_of(record), number_of(near))) return;
      take(number_of(record), number_of(near), static_cast<Nearness>(std::popcount(record.hash ^ near.hash)));
    });
  }
  return candidates;
}

}  // namespace qdedup::finder
