#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "finder/text_scheme.h"

namespace qdedup::finder {

struct SubstringSettings {
  std::size_t gram = 4;    // m: near texts share stretches of so many characters, 4 to 64
  double shared = 0.3;     // which share of the stretches of the one with fewer they have in common, at least
  std::size_t window = 1;  // of so many stretches on end one is chosen at least; 1: all
  std::uint32_t common = 0;  // stretches in more texts than that count for nothing; 0: all count
};

// The set of stretches of m characters of a text, each of them a key: an inverted index of m-grams. What the
// lists of several stretches give is merged by text, and counted in full.
//
// For many texts, only some stretches are chosen: of each `window` on end the one with the least hash, so
// that two texts that share m + `window` - 1 characters share a stretch (Schleimer, Wilkerson, Aiken,
// "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003). Those that are in very many texts
// tell nothing and cost most; they are left out before.
class SubstringScheme final : public TextScheme {
 public:
  explicit SubstringScheme(const SubstringSettings& settings);

  [[nodiscard]] std::string name() const override;
  void learn(std::u32string_view text) override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  void append_keys(std::span<const std::uint32_t> signature, std::vector<std::uint32_t>& keys) const override;
  [[nodiscard]] bool near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const override;
  [[nodiscard]] bool accepts(std::span<const std::uint32_t> signature) const override;
  [[nodiscard]] std::vector<std::uint32_t> learnt() const override { return texts_with_; }
  [[nodiscard]] bool take_learnt(std::span<const std::uint32_t> learnt) override;

 private:
  static constexpr std::size_t counters = std::size_t{1} << 22U;

  SubstringSettings settings_;
  std::vector<std::uint32_t> texts_with_;  // by hash of the stretch; empty where all count
};

}  // namespace qdedup::finder
