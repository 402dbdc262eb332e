#pragma once

#include <optional>

#include "finder/hamming_index.h"
#include "finder/near_finder.h"
#include "refine/features.h"

namespace qdedup::finder {

struct SimhashSettings {
  unsigned distance = 3;  // near texts differ in at most this many bits, 0 to 15
  refine::FeatureSettings features{};
  double stop_share = 0.05;  // features in more than this share of the texts, and in many, are dropped
};

// 64 bits, each the sign of a weighted sum over the text's features. The weight of a feature is its frequency
// in the text times its rarity elsewhere, and times what the settings say (Charikar, "Similarity estimation
// techniques from rounding algorithms", STOC 2002).
class SimhashFinder final : public NearFinder {
 public:
  // Where there are few texts, what a twentieth of them share may be what two of them are about.
  static constexpr std::uint32_t min_stop_texts = 1000;

  static std::uint64_t hash_of(std::span<const std::uint32_t> signature);

  explicit SimhashFinder(const SimhashSettings& settings);

  [[nodiscard]] std::string name() const override;
  void learn(std::u32string_view text) override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  [[nodiscard]] std::optional<Nearness> near(std::span<const std::uint32_t> a,
                                             std::span<const std::uint32_t> b) const override;
  void expect(std::size_t texts) override { records_.reserve(texts); }
  void add(std::uint32_t number, std::span<const std::uint32_t> signature) override;
  Status build(const Take& take, const std::function<void()>& moved) override;
  [[nodiscard]] std::size_t size() const override { return index_->size(); }
  [[nodiscard]] std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                   const Take& take) const override;

 private:
  static constexpr std::size_t counters = std::size_t{1} << 18U;

  struct Weighted {
    refine::Feature feature;
    double weight;
  };

  [[nodiscard]] std::vector<Weighted> weighted(std::u32string_view text) const;
  [[nodiscard]] double rarity(refine::Feature feature) const;

  SimhashSettings settings_;
  refine::Features features_;
  std::vector<std::uint32_t> texts_with_;  // by hash of the feature
  std::uint32_t texts_ = 0;
  std::vector<HashRecord> records_;  // until they are indexed
  std::optional<HammingIndex> index_;
};

}  // namespace qdedup::finder
