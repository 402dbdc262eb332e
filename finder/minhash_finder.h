#pragma once

#include "finder/keyed_finder.h"

namespace qdedup::finder {

struct MinhashSettings {
  std::size_t gram = 2;     // characters per element of a text's set, at least 1
  std::size_t bands = 20;   // each is a key
  std::size_t rows = 4;     // permutations per band
  double similarity = 0.6;  // minimum estimated Jaccard index of near texts
};

// The smallest element of a text's set of grams under each of bands * rows permutations (a * x + b) mod p.
// The share of permutations in which two texts agree is that of the elements they have in common (Broder, "On
// the resemblance and containment of documents", 1997). Near texts most likely agree in all rows of a band:
// with a Jaccard index s, the probability is 1 - (1 - s^rows)^bands (Indyk, Motwani, STOC 1998). Only one
// byte is kept per permutation (Li, Konig, "b-bit minwise hashing", WWW 2010).
class MinhashFinder final : public KeyedFinder {
 public:
  explicit MinhashFinder(const MinhashSettings& settings);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  void append_keys(std::span<const std::uint32_t> signature, std::vector<std::uint32_t>& keys) const override;
  [[nodiscard]] std::optional<Nearness> near(std::span<const std::uint32_t> a,
                                             std::span<const std::uint32_t> b) const override;

  // The estimated Jaccard index of the sets of two texts; slightly below 0 if they have nothing in common.
  [[nodiscard]] double estimate(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;

 private:
  struct Permutation {
    std::uint64_t factor;
    std::uint64_t summand;
  };

  MinhashSettings settings_;
  std::vector<Permutation> permutations_;
};

}  // namespace qdedup::finder
