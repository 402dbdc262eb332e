#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::finder {

// What represents a text. Its length depends on the finder.
using Signature = std::vector<std::uint32_t>;

// How near two texts are: how many bits differ (simhash), or how much they share, in hundredths of a percent.
using Nearness = std::uint32_t;
inline constexpr Nearness all_shared = 10'000;

// Finds pairs of texts that are near each other by a measure that does not require comparing full texts.
// First all texts are learnt, then the signatures of those to be compared are added, then build() is called.
class NearFinder {
 public:
  using Take = std::function<void(std::uint32_t a, std::uint32_t b, Nearness nearness)>;
  using Wanted = std::function<bool(std::uint32_t a, std::uint32_t b)>;

  NearFinder() = default;
  NearFinder(const NearFinder&) = delete;
  NearFinder& operator=(const NearFinder&) = delete;
  virtual ~NearFinder() = default;

  // The measure and its settings.
  [[nodiscard]] virtual std::string name() const = 0;

  // Reserves memory for approximately this many texts; call it first.
  virtual void expect(std::size_t texts) = 0;

  // Learns what is common in the texts.
  virtual void learn(std::u32string_view /*text*/) {}

  // Called when all texts are learnt.
  virtual void finish_learning() {}

  // Thread-safe, once learning is finished. Empty for a text that is near no other.
  [[nodiscard]] virtual Signature signature(std::u32string_view text) const = 0;

  // Nothing if they are not near each other.
  [[nodiscard]] virtual std::optional<Nearness> near(std::span<const std::uint32_t> a,
                                                     std::span<const std::uint32_t> b) const = 0;

  // Numbers must ascend; the signature must not be empty.
  virtual void add(std::uint32_t number, std::span<const std::uint32_t> signature) = 0;

  // Takes pairs with equal signatures that find() may not return. `moved` is called now and then.
  // ErrorCode::config if an index of all texts would be too large.
  virtual Status build(const Take& take, const std::function<void()>& moved) = 0;

  // The number of texts to look up.
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Takes the `wanted` pairs of texts at positions [begin, end) below size() with texts of smaller numbers.
  // Returns how many candidates were looked at. Thread-safe.
  [[nodiscard]] virtual std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                           const Take& take) const = 0;
};

}  // namespace qdedup::finder
