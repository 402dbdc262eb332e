#include "refine/features.h"

#include "base/mixed_bits.h"
#include "base/parse_number.h"
#include "refine/normalise.h"
#include "refine/words.h"

namespace qdedup::refine {
namespace {

std::vector<Feature> word_features(std::u32string_view text) {
  std::vector<Feature> words;
  for (const std::u32string_view word : words_of(text)) words.push_back(Features::named(word));
  return words;
}

}  // namespace

std::vector<std::uint64_t> gram_hashes(std::u32string_view text, std::size_t size) {
  std::vector<std::uint64_t> hashes;
  if (text.empty()) return hashes;
  const std::size_t length = text.size() < size ? text.size() : size;
  for (std::size_t at = 0; at + length <= text.size(); ++at) {
    std::uint64_t hash = length;
    for (const char32_t c : text.substr(at, length)) hash = mixed_bits(hash + c + 0x9E3779B97F4A7C15U);
    hashes.push_back(hash);
  }
  return hashes;
}

Feature Features::named(std::u32string_view text) { return gram_hashes(text, text.size()).at(0); }

std::string Features::name() const {
  std::string name = settings_.gram == 0 ? "words" : "gram " + std::to_string(settings_.gram);
  if (settings_.keywords > 0) name += " keywords " + std::to_string(settings_.keywords);
  if (!settings_.weights.empty()) name += " weights " + std::to_string(settings_.weights.size());
  return name;
}

std::vector<Feature> Features::of(std::u32string_view text) const {
  std::vector<Feature> features =
      settings_.gram == 0 ? word_features(text) : gram_hashes(text, settings_.gram);
  if (!settings_.weights.empty())
    std::erase_if(features, [this](Feature feature) { return weight(feature) == 0; });
  return features;
}

void add_stop_word(std::string_view line, FeatureSettings& settings) {
  settings.weights[Features::named(normalise(line))] = 0;
}

bool add_weight(std::string_view line, FeatureSettings& settings) {
  constexpr unsigned min_weight = 1;
  constexpr unsigned max_weight = 5;
  constexpr std::string_view blanks = "\t ";
  const std::size_t blank = line.find_last_of(blanks);
  if (blank == std::string_view::npos) return false;
  const std::size_t word_end = line.find_last_not_of(blanks, blank);
  if (word_end == std::string_view::npos) return false;
  const auto weight = parse_number<unsigned>(line.substr(blank + 1));
  if (!weight || *weight < min_weight || *weight > max_weight) return false;
  settings.weights[Features::named(normalise(line.substr(0, word_end + 1)))] = *weight;
  return true;
}

}  // namespace qdedup::refine
