#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::finder {

// What stands for a text. Its length depends on the finder.
using Signature = std::vector<std::uint32_t>;

// Finds pairs of texts that are near each other by a measure that needs no comparison of texts in full. All
// texts are learnt first; then those to be compared are added by their signatures, and build() is called.
class NearFinder {
 public:
  using Take = std::function<void(std::uint32_t a, std::uint32_t b)>;
  using Wanted = std::function<bool(std::uint32_t a, std::uint32_t b)>;

  NearFinder() = default;
  NearFinder(const NearFinder&) = delete;
  NearFinder& operator=(const NearFinder&) = delete;
  virtual ~NearFinder() = default;

  // The measure and its settings.
  [[nodiscard]] virtual std::string name() const = 0;

  // Reserves memory for about so many texts; to be called first.
  virtual void expect(std::size_t texts) = 0;

  // Takes into account what is common in texts.
  virtual void learn(std::u32string_view /*text*/) {}

  // On any number of threads, once all texts are learnt.
  [[nodiscard]] virtual Signature signature(std::u32string_view text) const = 0;

  // Whether two texts are near each other, by their signatures.
  [[nodiscard]] virtual bool near(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b) const = 0;

  // Numbers ascend.
  virtual void add(std::uint32_t number, std::span<const std::uint32_t> signature) = 0;

  // Takes pairs with equal signatures that find() may not return. `moved` is called now and then.
  // ErrorCode::config if an index of all texts would be too large.
  virtual Status build(const Take& take, const std::function<void()>& moved) = 0;

  // Texts to be looked up.
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Takes the `wanted` pairs of the texts at the places [begin, end) below size() with those of smaller
  // numbers. Returns how many candidates were looked at. On any number of threads.
  [[nodiscard]] virtual std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                           const Take& take) const = 0;
};

}  // namespace qdedup::finder
