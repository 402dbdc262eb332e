#pragma once

#include "finder/text_scheme.h"

namespace qdedup::finder {

struct SubstringSettings {
  std::size_t gram = 4;  // m: near texts share stretches of so many characters, 4 to 64
  double shared = 0.3;   // which share of the stretches of the one with fewer they have in common, at least
};

// The set of all stretches of m characters of a text, each of them a key: an inverted index of m-grams. What
// the lists of several stretches give is merged by text, and counted in full.
class SubstringScheme final : public TextScheme {
 public:
  explicit SubstringScheme(const SubstringSettings& settings) : settings_(settings) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] Signature signature(std::u32string_view text) const override;
  void append_keys(std::span<const std::uint32_t> signature, std::vector<std::uint32_t>& keys) const override;
  [[nodiscard]] bool near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const override;
  [[nodiscard]] bool accepts(std::span<const std::uint32_t> signature) const override;

 private:
  SubstringSettings settings_;
};

}  // namespace qdedup::finder
