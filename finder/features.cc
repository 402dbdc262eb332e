#include "finder/features.h"

#include "finder/grams.h"
#include "refine/words.h"

namespace qdedup::finder {
namespace {

std::vector<Feature> words_of(std::u32string_view text) {
  std::vector<Feature> words;
  for (const std::u32string_view word : refine::words_of(text)) words.push_back(Features::named(word));
  return words;
}

}  // namespace

Feature Features::named(std::u32string_view text) { return gram_hashes(text, text.size()).at(0); }

std::string Features::name() const {
  std::string name = settings_.gram == 0 ? "words" : "gram " + std::to_string(settings_.gram);
  if (settings_.keywords > 0) name += " keywords " + std::to_string(settings_.keywords);
  if (!settings_.weights.empty()) name += " weights " + std::to_string(settings_.weights.size());
  return name;
}

std::vector<Feature> Features::of(std::u32string_view text) const {
  std::vector<Feature> features = settings_.gram == 0 ? words_of(text) : gram_hashes(text, settings_.gram);
  if (!settings_.weights.empty())
    std::erase_if(features, [this](Feature feature) { return weight(feature) == 0; });
  return features;
}

}  // namespace qdedup::finder
