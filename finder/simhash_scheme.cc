#include "finder/simhash_scheme.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "base/sort_unique.h"
#include "finder/grams.h"
#include "finder/hamming_index.h"

namespace qdedup::finder {
namespace {

constexpr unsigned simhash_bits = 64;

std::vector<std::uint64_t> distinct_grams(std::u32string_view text, std::size_t size) {
  std::vector<std::uint64_t> grams = gram_hashes(text, size);
  sort_unique(grams);
  return grams;
}

// Of texts with the same hash the first stands for all.
class SimhashIndex final : public NearIndex {
 public:
  explicit SimhashIndex(const HammingSettings& settings) : settings_(settings) {}

  void reserve(std::size_t texts) override { records_.reserve(texts); }

  void add(std::uint32_t number, std::span<const std::uint32_t> signature) override {
    records_.push_back({SimhashScheme::hash_of(signature), QuestionId{number}});
  }

  Status build(const Take& take, const std::function<void()>& moved) override {
    std::ranges::sort(records_);
    std::size_t kept = 0;
    for (const HashRecord& record : records_) {
      if (kept > 0 && records_[kept - 1].hash == record.hash) {
        take(number_of(record), number_of(records_[kept - 1]));
      } else {
        records_[kept++] = record;
      }
    }
    records_.resize(kept);
    moved();
    index_.emplace(settings_, std::move(records_), moved);
    return {};
  }

  [[nodiscard]] std::size_t size() const override { return index_->size(); }

  [[nodiscard]] std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                   const Take& take) const override {
    std::uint64_t candidates = 0;
    for (std::size_t place = begin; place < end; ++place) {
      const HashRecord& record = index_->at(place);
      const std::uint32_t number = number_of(record);
      candidates += index_->find(record.hash, [&](const HashRecord& near) {
        const std::uint32_t other = number_of(near);
        if (other < number && wanted(number, other)) take(number, other);
      });
    }
    return candidates;
  }

 private:
  static std::uint32_t number_of(const HashRecord& record) { return static_cast<std::uint32_t>(record.id); }

  HammingSettings settings_;
  std::vector<HashRecord> records_;  // until they are indexed
  std::optional<HammingIndex> index_;
};

}  // namespace

SimhashScheme::SimhashScheme(const SimhashSettings& settings) : settings_(settings), texts_with_(counters) {}

std::string SimhashScheme::name() const {
  return "simhash distance " + std::to_string(settings_.distance) + " levels " +
         std::to_string(settings_.levels) + " gram " + std::to_string(settings_.gram) + " stop " +
         std::to_string(settings_.stop_share) + " top " + std::to_string(settings_.top_features);
}

void SimhashScheme::learn(std::u32string_view text) {
  ++texts_;
  for (const std::uint64_t gram : distinct_grams(text, settings_.gram)) ++texts_with_[gram % counters];
}

double SimhashScheme::rarity(std::uint64_t hash) const {
  if (texts_ == 0) return 1;
  const double with = texts_with_[hash % counters];
  if (with > settings_.stop_share * texts_ && with > 1) return 0;
  return std::log((texts_ + 1.0) / (with + 1.0)) + 1.0;
}

std::vector<SimhashScheme::Feature> SimhashScheme::features(std::u32string_view text) const {
  std::vector<std::uint64_t> grams = gram_hashes(text, settings_.gram);
  std::ranges::sort(grams);
  std::vector<Feature> all;
  for (std::size_t begin = 0; begin < grams.size();) {
    std::size_t end = begin;
    while (end < grams.size() && grams[end] == grams[begin]) ++end;
    const double weight = static_cast<double>(end - begin) * rarity(grams[begin]);
    if (weight > 0) all.push_back({grams[begin], weight});
    begin = end;
  }
  if (settings_.top_features > 0 && all.size() > settings_.top_features) {
    std::ranges::stable_sort(all, std::ranges::greater(), &Feature::weight);
    all.resize(settings_.top_features);
  }
  return all;
}

Signature SimhashScheme::signature(std::u32string_view text) const {
  std::array<double, simhash_bits> sums{};
  for (const Feature& feature : features(text)) {
    for (unsigned bit = 0; bit < simhash_bits; ++bit) {
      sums[bit] += (feature.hash >> bit & 1U) != 0 ? feature.weight : -feature.weight;
    }
  }
  std::uint64_t hash = 0;
  for (unsigned bit = 0; bit < simhash_bits; ++bit) hash |= std::uint64_t{sums[bit] > 0 ? 1U : 0U} << bit;
  return {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash)};
}

bool SimhashScheme::near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  return static_cast<unsigned>(std::popcount(hash_of(a) ^ hash_of(b))) <= settings_.distance;
}

std::unique_ptr<NearIndex> SimhashScheme::make_index(std::size_t /*max_keys*/) const {
  return std::make_unique<SimhashIndex>(
      HammingSettings{.distance = settings_.distance, .levels = settings_.levels});
}

}  // namespace qdedup::finder
