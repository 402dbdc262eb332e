#pragma once

#include "finder/hash_blocks.h"
#include "finder/hash_tables.h"
#include "finder/text_scheme.h"

namespace qdedup::finder {

struct SimhashSettings {
  unsigned distance = 3;          // bits in which near texts differ at most, 0 to 15
  std::size_t gram = 2;           // characters per feature, at least 1
  double stop_share = 0.05;       // features in more than this share of the texts are dropped
  std::size_t top_features = 0;   // only the weightiest; 0: all
  unsigned levels = 1;            // blocks of bits that make a key, 1 to 3 (finder/hash_tables.h)
  bool longest_sentence = false;  // only that, where sentences end in one of 。！？；.!?; or a line feed
};

// 64 bits, each the sign of the sum of what features say for it, weighted by how often they stand in the text
// and how rare they are elsewhere (Charikar, "Similarity estimation techniques from rounding algorithms",
// STOC 2002). Keys are blocks of bits, of which two texts within the distance have one in common; for very
// many texts there are the tables of finder/hash_tables.h.
class SimhashScheme final : public TextScheme {
 public:
  explicit SimhashScheme(const SimhashSettings& settings);

  [[nodiscard]] static std::uint64_t hash_of(std::span<const std::uint32_t> signature) {
    return std::uint64_t{signature[0]} << 32U | signature[1];
  }
  [[nodiscard]] HashTablesSettings tables() const {
    return {.distance = settings_.distance, .levels = settings_.levels};
  }

  [[nodiscard]] std::string name() const override;
  void learn(std::u32string_view text) override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  void append_keys(std::span<const std::uint32_t> signature, std::vector<std::uint32_t>& keys) const override;
  [[nodiscard]] bool near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const override;
  [[nodiscard]] bool accepts(std::span<const std::uint32_t> signature) const override;
  [[nodiscard]] std::vector<std::uint32_t> learnt() const override;
  [[nodiscard]] bool take_learnt(std::span<const std::uint32_t> learnt) override;

 private:
  static constexpr std::size_t counters = std::size_t{1} << 18U;

  struct Feature {
    std::uint64_t hash;
    double weight;
  };

  [[nodiscard]] std::u32string_view featured(std::u32string_view text) const;
  [[nodiscard]] std::vector<Feature> features(std::u32string_view text) const;
  [[nodiscard]] double rarity(std::uint64_t hash) const;

  SimhashSettings settings_;
  std::vector<HashBlocks> choices_;
  std::vector<std::uint32_t> texts_with_;  // by hash of the feature
  std::uint32_t texts_ = 0;
};

}  // namespace qdedup::finder
