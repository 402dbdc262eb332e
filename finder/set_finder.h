#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "finder/keyed_finder.h"
#include "refine/features.h"
#include "refine/set_similarity.h"

namespace qdedup::finder {

struct SetSettings {
  refine::SetMeasure measure = refine::SetMeasure::jaccard;
  std::uint32_t min_similarity = 80;  // percent, 1 to 100; 0 only to measure a pair
  refine::FeatureSettings features{};
};

// Near texts have sets of features that are similar by exact count; none is missed. Features are ranked, the
// heaviest and rarest first. As near texts have at least so many features in common, they share one of the
// first of each (prefix filtering: Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in
// data cleaning", ICDE 2006); these are the keys. Texts with the same rare features cost the square of their
// number. A different feature of the bank takes some 60 bytes.
class SetFinder final : public KeyedFinder {
 public:
  explicit SetFinder(const SetSettings& settings);

  [[nodiscard]] std::string name() const override;
  void learn(std::u32string_view text) override;
  void finish_learning() override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  void append_keys(std::span<const std::uint32_t> signature, std::vector<std::uint32_t>& keys) const override;
  [[nodiscard]] std::optional<Nearness> near(std::span<const std::uint32_t> a,
                                             std::span<const std::uint32_t> b) const override;

 private:
  SetSettings settings_;
  refine::Features features_;
  std::unordered_map<refine::Feature, std::uint32_t> numbers_;  // until learning is finished; then ranks
  std::vector<std::uint32_t> texts_with_;                       // by number
};

}  // namespace qdedup::finder
