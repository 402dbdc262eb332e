#include "finder/simhash_scheme.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/sort_unique.h"
#include "finder/grams.h"

namespace qdedup::finder {
namespace {

constexpr std::u32string_view sentence_ends = U"。！？；.!?;\n";
constexpr unsigned simhash_bits = 64;

std::vector<std::uint64_t> distinct_grams(std::u32string_view text, std::size_t size) {
  std::vector<std::uint64_t> grams = gram_hashes(text, size);
  sort_unique(grams);
  return grams;
}

}  // namespace

SimhashScheme::SimhashScheme(const SimhashSettings& settings)
    : settings_(settings), choices_(all_choices(settings.distance, settings.levels)), texts_with_(counters) {}

std::string SimhashScheme::name() const {
  return "simhash distance " + std::to_string(settings_.distance) + " levels " +
         std::to_string(settings_.levels) + " gram " + std::to_string(settings_.gram) + " stop " +
         std::to_string(settings_.stop_share) + " top " + std::to_string(settings_.top_features) +
         (settings_.longest_sentence ? " longest sentence" : "");
}

std::u32string_view SimhashScheme::featured(std::u32string_view text) const {
  if (!settings_.longest_sentence) return text;
  std::u32string_view longest;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(sentence_ends), text.size());
    if (end > longest.size()) longest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

void SimhashScheme::learn(std::u32string_view text) {
  ++texts_;
  for (const std::uint64_t gram : distinct_grams(featured(text), settings_.gram))
    ++texts_with_[gram % counters];
}

double SimhashScheme::rarity(std::uint64_t hash) const {
  if (texts_ == 0) return 1;
  const double with = texts_with_[hash % counters];
  if (with > settings_.stop_share * texts_ && with > 1) return 0;
  return std::log((texts_ + 1.0) / (with + 1.0)) + 1.0;
}

std::vector<SimhashScheme::Feature> SimhashScheme::features(std::u32string_view text) const {
  std::vector<std::uint64_t> grams = gram_hashes(featured(text), settings_.gram);
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

void SimhashScheme::append_keys(std::span<const std::uint32_t> signature,
                                std::vector<std::uint32_t>& keys) const {
  const std::uint64_t hash = hash_of(signature);
  for (std::size_t i = 0; i < choices_.size(); ++i)
    keys.push_back(static_cast<std::uint32_t>(mixed_bits(choices_[i].of(hash) * choices_.size() + i)));
}

bool SimhashScheme::near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  return static_cast<unsigned>(std::popcount(hash_of(a) ^ hash_of(b))) <= settings_.distance;
}

bool SimhashScheme::accepts(std::span<const std::uint32_t> signature) const { return signature.size() == 2; }

std::vector<std::uint32_t> SimhashScheme::learnt() const {
  std::vector<std::uint32_t> all = texts_with_;
  all.push_back(texts_);
  return all;
}

bool SimhashScheme::take_learnt(std::span<const std::uint32_t> learnt) {
  if (learnt.size() != counters + 1) return false;
  texts_with_.assign(learnt.begin(), learnt.end() - 1);
  texts_ = learnt.back();
  return true;
}

}  // namespace qdedup::finder
