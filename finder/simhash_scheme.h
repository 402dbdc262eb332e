#pragma once

#include "finder/signature_scheme.h"

namespace qdedup::finder {

struct SimhashSettings {
  unsigned distance = 3;         // bits in which near texts differ at most, 0 to 15
  std::size_t gram = 2;          // characters per feature, at least 1
  double stop_share = 0.05;      // features in more than this share of the texts are dropped
  std::size_t top_features = 0;  // only the heaviest; 0: all
  unsigned levels = 1;           // blocks of bits that a table goes by, 1 to 3 (finder/hamming_index.h)
};

// 64 bits, each the sign of the sum of what features say for it, weighted by how often they stand in the text
// and how rare they are elsewhere (Charikar, "Similarity estimation techniques from rounding algorithms",
// STOC 2002).
class SimhashScheme final : public SignatureScheme {
 public:
  explicit SimhashScheme(const SimhashSettings& settings);

  [[nodiscard]] static std::uint64_t hash_of(std::span<const std::uint32_t> signature) {
    return std::uint64_t{signature[0]} << 32U | signature[1];
  }

  [[nodiscard]] std::string name() const override;
  void learn(std::u32string_view text) override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  [[nodiscard]] bool near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const override;
  // A HammingIndex.
  [[nodiscard]] std::unique_ptr<NearIndex> make_index(std::size_t max_keys) const override;

 private:
  static constexpr std::size_t counters = std::size_t{1} << 18U;

  struct Feature {
    std::uint64_t hash;
    double weight;
  };

  [[nodiscard]] std::vector<Feature> features(std::u32string_view text) const;
  [[nodiscard]] double rarity(std::uint64_t hash) const;

  SimhashSettings settings_;
  std::vector<std::uint32_t> texts_with_;  // by hash of the feature
  std::uint32_t texts_ = 0;
};

}  // namespace qdedup::finder
