#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::finder {

// What stands for a text in a TextIndex. How long it is depends on the scheme.
using Signature = std::vector<std::uint32_t>;

// How texts are told to be near each other without comparing them in full.
class TextScheme {
 public:
  TextScheme() = default;
  TextScheme(const TextScheme&) = delete;
  TextScheme& operator=(const TextScheme&) = delete;
  virtual ~TextScheme() = default;

  // Names the scheme and its settings: indexes of other schemes are refused.
  [[nodiscard]] virtual std::string name() const = 0;

  // How many texts there will be, about; before the first is learnt.
  virtual void expect(std::size_t /*texts*/) {}

  // Takes a text into account that tells what is usual; to be called for all before the first signature.
  virtual void learn(std::u32string_view /*text*/) {}

  [[nodiscard]] virtual Signature signature(std::u32string_view text) const = 0;

  // Appends the keys of a signature: any two that are near have one in common (minhash: most likely).
  virtual void append_keys(std::span<const std::uint32_t> signature,
                           std::vector<std::uint32_t>& keys) const = 0;

  // Whether two texts are near each other, by their signatures.
  [[nodiscard]] virtual bool near(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b) const = 0;

  // Whether a signature could have come from this scheme; what is loaded must be.
  [[nodiscard]] virtual bool accepts(std::span<const std::uint32_t> signature) const = 0;

  // What was learnt, to be saved with an index, and back. False where it is none.
  [[nodiscard]] virtual std::vector<std::uint32_t> learnt() const { return {}; }
  [[nodiscard]] virtual bool take_learnt(std::span<const std::uint32_t> learnt) { return learnt.empty(); }
};

}  // namespace qdedup::finder
