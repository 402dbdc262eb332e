#include "finder/simhash_finder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "base/sort_unique.h"
#include "finder/grams.h"

namespace qdedup::finder {
namespace {

constexpr unsigned simhash_bits = 64;

std::uint64_t hash_of(std::span<const std::uint32_t> signature) {
  return std::uint64_t{signature[0]} << 32U | signature[1];
}

}  // namespace

SimhashFinder::SimhashFinder(const SimhashSettings& settings) : settings_(settings), texts_with_(counters) {}

std::string SimhashFinder::name() const {
  return "simhash distance " + std::to_string(settings_.distance) + " levels " +
         std::to_string(settings_.levels) + " gram " + std::to_string(settings_.gram) + " stop " +
         std::to_string(settings_.stop_share) + " above " + std::to_string(min_stop_texts);
}

void SimhashFinder::learn(std::u32string_view text) {
  ++texts_;
  std::vector<std::uint64_t> grams = gram_hashes(text, settings_.gram);
  sort_unique(grams);
  for (const std::uint64_t gram : grams) ++texts_with_[gram % counters];
}

double SimhashFinder::rarity(std::uint64_t gram) const {
  if (texts_ == 0) return 1;
  const double with = texts_with_[gram % counters];
  if (with > settings_.stop_share * texts_ && with > min_stop_texts) return 0;
  return std::log((texts_ + 1.0) / (with + 1.0)) + 1.0;
}

Signature SimhashFinder::signature(std::u32string_view text) const {
  std::vector<std::uint64_t> grams = gram_hashes(text, settings_.gram);
  std::ranges::sort(grams);
  std::array<double, simhash_bits> sums{};
  for (std::size_t begin = 0; begin < grams.size();) {
    std::size_t end = begin;
    while (end < grams.size() && grams[end] == grams[begin]) ++end;
    const double weight = static_cast<double>(end - begin) * rarity(grams[begin]);
    for (unsigned bit = 0; bit < simhash_bits && weight > 0; ++bit) {
      sums[bit] += (grams[begin] >> bit & 1U) != 0 ? weight : -weight;
    }
    begin = end;
  }
  std::uint64_t hash = 0;
  for (unsigned bit = 0; bit < simhash_bits; ++bit) hash |= std::uint64_t{sums[bit] > 0 ? 1U : 0U} << bit;
  return {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash)};
}

bool SimhashFinder::near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  return static_cast<unsigned>(std::popcount(hash_of(a) ^ hash_of(b))) <= settings_.distance;
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
      take(record.number, records_[kept - 1].number);
    } else {
      records_[kept++] = record;
    }
  }
  records_.resize(kept);
  moved();
  const HammingSettings settings{.distance = settings_.distance, .levels = settings_.levels};
  index_.emplace(settings, std::move(records_), moved);
  return {};
}

std::uint64_t SimhashFinder::find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                  const Take& take) const {
  std::uint64_t candidates = 0;
  for (std::size_t place = begin; place < end; ++place) {
    const HashRecord& record = index_->at(place);
    candidates += index_->find(record.hash, [&](const HashRecord& near) {
      if (near.number < record.number && wanted(record.number, near.number)) take(record.number, near.number);
    });
  }
  return candidates;
}

}  // namespace qdedup::finder
