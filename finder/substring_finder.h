#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "finder/keyed_finder.h"

namespace qdedup::finder {

struct SubstringSettings {
  static constexpr std::size_t min_gram = 4;
  static constexpr std::size_t max_gram = 64;

  std::size_t gram = min_gram;  // m: near texts share stretches of this many characters
  double shared = 0.3;          // minimum common share of the stretches of the text with fewer
  std::size_t window = 1;       // at least one of this many consecutive stretches is chosen; 1: all
  std::uint32_t common = 0;     // stretches in more texts than this are ignored; 0: none
};

// The set of stretches of m characters of a text, each of them a key: an inverted index of m-grams.
//
// For many texts, only some stretches are chosen: of each `window` consecutive ones the one with the smallest
// hash, so that two texts that share m + `window` - 1 characters share a stretch (Schleimer, Wilkerson,
// Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003). Stretches in very many
// texts mean little and cost most, so they are dropped first. They are counted by hash, in at least 2^22
// counters and at least two per expected text, so that collisions add little to a count: on average at most n
// / 2 if texts have n stretches.
class SubstringFinder final : public KeyedFinder {
 public:
  explicit SubstringFinder(const SubstringSettings& settings, std::size_t max_keys = max_index_keys);

  [[nodiscard]] std::string name() const override;
  void expect(std::size_t texts) override;
  void learn(std::u32string_view text) override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  void append_keys(std::span<const std::uint32_t> signature, std::vector<std::uint32_t>& keys) const override;
  [[nodiscard]] std::optional<Nearness> near(std::span<const std::uint32_t> a,
                                             std::span<const std::uint32_t> b) const override;

  // The number of counters for stretches; 0 if all stretches are used.
  [[nodiscard]] std::size_t counters() const { return texts_with_.size(); }

 private:
  static constexpr std::size_t min_counters = std::size_t{1} << 22U;
  static constexpr std::size_t counters_per_text = 2;

  [[nodiscard]] std::size_t counter_of(std::uint64_t gram) const { return gram & (texts_with_.size() - 1); }

  SubstringSettings settings_;
  // By hash of the stretch; a power of two, or empty if all stretches are used.
  std::vector<std::uint32_t> texts_with_;
};

using TextPair = std::pair<std::u32string, std::u32string>;

struct GramChoice {
  std::size_t gram = 0;
  std::size_t found = 0;         // of the pairs, those that are near each other with it
  std::size_t found_longer = 0;  // the same with a gram that is one character longer
};

// The longest gram up to which the finder finds at least `wanted_percent` of these pairs, if it looks at them
// alone; `settings.gram` and `settings.common` are ignored. Nothing if even the shortest does not find as
// many.
std::optional<GramChoice> longest_gram(std::span<const TextPair> pairs, SubstringSettings settings,
                                       unsigned wanted_percent);

}  // namespace qdedup::finder
