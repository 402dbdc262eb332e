#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace qdedup::refine {

// Hashes of all runs of `size` characters, in order, or of the whole text if it is shorter. Empty for an
// empty text.
std::vector<std::uint64_t> gram_hashes(std::u32string_view text, std::size_t size);

// A feature of a text, by hash.
using Feature = std::uint64_t;

struct FeatureSettings {
  std::size_t gram = 2;      // characters of a feature, at least 1; 0: words
  std::size_t keywords = 0;  // only so many of the heaviest features of a text count; 0: all
  // By word or gram (Features::named): 0 for what does not count, otherwise its weight; 1 for all others.
  std::unordered_map<Feature, unsigned> weights{};
};

// What a text consists of, for measures of how much texts have in common: all runs of some characters (a
// shorter text is one feature), or its words as ICU's dictionaries cut them. Two features have the same hash
// by a chance of one in 2^64.
class Features {
 public:
  explicit Features(FeatureSettings settings) : settings_(std::move(settings)) {}

  static Feature named(std::u32string_view text);

  // The settings, for people and for records.
  [[nodiscard]] std::string name() const;

  // Those that count, in order, each as often as the text has it. Thread-safe.
  [[nodiscard]] std::vector<Feature> of(std::u32string_view text) const;

  [[nodiscard]] unsigned weight(Feature feature) const {
    const auto found = settings_.weights.find(feature);
    return found == settings_.weights.end() ? 1 : found->second;
  }

  [[nodiscard]] std::size_t keywords() const { return settings_.keywords; }

 private:
  FeatureSettings settings_;
};

// A line of a list of words: one that does not count.
void add_stop_word(std::string_view line, FeatureSettings& settings);

// A word, a tab or space, and its weight from 1 to 5; false if the line is not that.
[[nodiscard]] bool add_weight(std::string_view line, FeatureSettings& settings);

}  // namespace qdedup::refine
